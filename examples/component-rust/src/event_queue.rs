//! `EventQueue`: a queue that receives the events of AWS that match a pattern.

use pulumi_plugin::components::{
    ChildOptions, ChildPackage, Component, ConstructError, InputProblems, IntoProperty, Map, Method,
    MethodEntry, Output, Properties, Resource, Scope, json_text, object, properties, record,
};

/// Two weeks, the maximum of AWS.
const LONGEST: i32 = 1_209_600;

record! {
    /// Inputs of `EventQueue`.
    pub struct EventQueueInputs {
        /// Pattern of the events, as JSON.
        pub pattern: Output<String>,
        /// Seconds for which the queue keeps an event, from 60 to 1209600.
        pub retention_seconds: Output<i32> = 345_600,
        /// Tags of all resources.
        pub tags: Option<Map<String>>,
    }
}

object! {
    /// Outputs of `EventQueue`.
    pub struct EventQueueOutputs {
        /// The queue.
        #[schemars(extend("x-resource" = "aws:sqs/queue:Queue"))]
        pub queue: Resource,
        /// ARN of the queue.
        pub arn: Output<String>,
        /// URL of the queue.
        pub url: Output<String>,
    }
}

/// The component.
pub struct EventQueue;

impl Component for EventQueue {
    const TOKEN: &'static str = "events:index:EventQueue";
    const DESCRIPTION: &'static str = "A queue that receives the events of AWS that match a pattern.";
    const PACKAGES: &'static [ChildPackage] = &[ChildPackage {
        name: "aws",
        version: "7.48.0",
        download_url: None,
    }];
    const METHODS: &'static [MethodEntry] = &[MethodEntry::of::<ConsumerPolicy>()];
    type Inputs = EventQueueInputs;
    type Outputs = EventQueueOutputs;

    fn check(_: &str, inputs: &EventQueueInputs, problems: &mut InputProblems) {
        let seconds = inputs.retention_seconds.peek_known();
        if seconds.is_some_and(|seconds| !(60..=LONGEST).contains(seconds)) {
            problems.add("retentionSeconds", format!("must be from 60 to {LONGEST}"));
        }
    }

    fn build(scope: &Scope, inputs: EventQueueInputs) -> Result<EventQueueOutputs, ConstructError> {
        let name = scope.name();
        let rule = properties! { "eventPattern": inputs.pattern, "tags": inputs.tags.clone() };
        let rule = scope.register(
            "aws:cloudwatch/eventRule:EventRule",
            name,
            rule,
            ChildOptions::new(),
        );
        let queue = properties! {
            "messageRetentionSeconds": inputs.retention_seconds,
            "sqsManagedSseEnabled": true,
            "tags": inputs.tags,
        };
        let queue = scope.register("aws:sqs/queue:Queue", name, queue, ChildOptions::new());
        let arn = queue.output::<String>("arn");

        let policy = statement("sqs:SendMessage", arn.clone())
            .with("Principal", properties! { "Service": "events.amazonaws.com" })
            .with(
                "Condition",
                properties! {
                    "ArnEquals": properties! { "aws:SourceArn": rule.output::<String>("arn") },
                },
            );
        let policy = properties! { "queueUrl": queue.id(), "policy": document(policy) };
        let below = ChildOptions::below(&queue);
        let policy = scope.register("aws:sqs/queuePolicy:QueuePolicy", name, policy, below);

        let target = properties! { "rule": rule.output::<String>("name"), "arn": arn.clone() };
        let options = ChildOptions::below(&rule).depends_on([&policy]);
        scope.register("aws:cloudwatch/eventTarget:EventTarget", name, target, options);
        Ok(EventQueueOutputs {
            url: queue.id(),
            arn,
            queue,
        })
    }
}

record! {
    /// Arguments of `consumerPolicy`.
    pub struct ConsumerPolicyArguments {
        /// Whether consumers may also delete all events.
        pub purge: Output<bool> = false,
    }
}

object! {
    /// Results of `consumerPolicy`.
    pub struct ConsumerPolicyResults {
        /// The policy, as JSON.
        pub json: Output<String>,
    }
}

/// The method `consumerPolicy`.
pub struct ConsumerPolicy;

impl Method for ConsumerPolicy {
    type Component = EventQueue;
    const NAME: &'static str = "consumerPolicy";
    const DESCRIPTION: &'static str = "An IAM policy for roles that receive events from the queue.";
    type Arguments = ConsumerPolicyArguments;
    type Results = ConsumerPolicyResults;

    fn call(
        _: &Scope,
        this: &Resource,
        arguments: ConsumerPolicyArguments,
    ) -> Result<ConsumerPolicyResults, ConstructError> {
        let actions = arguments.purge.map(|purge| {
            let mut actions = vec!["sqs:ReceiveMessage", "sqs:DeleteMessage"];
            actions.extend(purge.then_some("sqs:PurgeQueue"));
            actions
        });
        Ok(ConsumerPolicyResults {
            json: document(statement(actions, this.output("arn"))),
        })
    }
}

/// A statement that allows actions on a resource.
fn statement(actions: impl IntoProperty, resource: Output<String>) -> Properties {
    properties! { "Effect": "Allow", "Action": actions, "Resource": resource }
}

/// A policy with one statement, as JSON.
fn document(statement: Properties) -> Output<String> {
    json_text(properties! { "Version": "2012-10-17", "Statement": [statement] })
}
