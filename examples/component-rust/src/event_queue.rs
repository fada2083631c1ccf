//! `EventQueue`: a queue that receives the events of AWS that match a pattern.

use pulumi_plugin::components::{
    ChildOptions, ChildPackage, Component, ConstructError, InputProblems, IntoProperty, Map, Method,
    MethodEntry, Output, Properties, Resource, Scope, choice, json_text, object, properties, record,
};
use pulumi_plugin::values::Value;

/// Actions of consumers.
const CONSUME: [&str; 2] = ["sqs:ReceiveMessage", "sqs:DeleteMessage"];

/// Two weeks, the maximum of AWS.
const LONGEST: i32 = 1_209_600;

choice! {
    /// Encryption of events in the queue.
    pub enum Encryption {
        /// With keys of SQS.
        Sqs = "sqs",
        /// Not encrypted.
        None = "none",
    }
}

record! {
    /// Inputs of `EventQueue`.
    pub struct EventQueueInputs {
        /// Pattern of the events, as JSON.
        pub pattern: Output<String>,
        /// A service account that receives events.
        pub consumer: Option<Consumer>,
        /// URL of an existing queue for events that consumers reject. Default: they are deleted.
        pub dead_letter_queue_url: Option<Output<String>>,
        /// Encryption of events in the queue.
        pub encryption: Output<Encryption> = Encryption::Sqs,
        /// Seconds for which the queue keeps an event, from 60 to 1209600.
        pub retention_seconds: Output<i32> = 345_600,
        /// Tags of all resources.
        pub tags: Option<Map<String>>,
    }

    /// A service account of a cluster. Its role is a component of the package `clusterpkg`.
    pub struct Consumer {
        /// ARN of the cluster's OIDC provider.
        pub oidc_provider_arn: Output<String>,
        /// URL of the cluster's OIDC provider.
        pub oidc_provider_url: Output<String>,
        /// Namespace of the service account.
        pub namespace_name: Output<String>,
        /// Name of the service account.
        pub service_account_name: Output<String>,
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
    const PACKAGES: &'static [ChildPackage] = &[
        ChildPackage {
            name: "aws",
            version: "7.48.0",
            download_url: None,
        },
        ChildPackage {
            name: "clusterpkg",
            version: "0.1.0",
            download_url: None,
        },
    ];
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
        let pattern = inputs.pattern.try_map(json_object);
        let rule = properties! { "eventPattern": pattern, "tags": inputs.tags.clone() };
        let rule = scope.register(
            "aws:cloudwatch/eventRule:EventRule",
            name,
            rule,
            ChildOptions::new(),
        );
        let dead_letters = inputs.dead_letter_queue_url.map(|url| dead_letters(scope, url));
        let queue = properties! {
            "messageRetentionSeconds": inputs.retention_seconds,
            "redrivePolicy": dead_letters,
            "sqsManagedSseEnabled": inputs.encryption.map(|encryption| encryption == Encryption::Sqs),
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
        if let Some(consumer) = inputs.consumer {
            role_of(scope, consumer, arn.clone());
        }
        Ok(EventQueueOutputs {
            url: queue.id(),
            arn,
            queue,
        })
    }
}

/// Checks a text when it is known: it can be an output of another resource.
fn json_object(text: String) -> Result<String, &'static str> {
    match Value::from_json_text(&text) {
        Ok(Value::Object(_)) => Ok(text),
        _ => Err("the pattern must be a JSON object"),
    }
}

/// Events go to the existing queue after three attempts.
fn dead_letters(scope: &Scope, url: Output<String>) -> Output<String> {
    let name = format!("{}-dead-letters", scope.name());
    let queue = scope.read(
        "aws:sqs/queue:Queue",
        name,
        url,
        properties! {},
        ChildOptions::new(),
    );
    json_text(properties! { "deadLetterTargetArn": queue.output::<String>("arn"), "maxReceiveCount": 3 })
}

/// Registers the role of a service account that receives events from the queue.
fn role_of(scope: &Scope, consumer: Consumer, queue: Output<String>) {
    let name = format!("{}-consumer", scope.name());
    let token = "clusterpkg:index:IamServiceAccountRole";
    let role = scope.remote(token, name.clone(), consumer, ChildOptions::new());
    let policy = document(statement(CONSUME, queue));
    let policy = properties! { "role": role.output_id("role"), "policy": policy };
    let below = ChildOptions::below(&role);
    scope.register("aws:iam/rolePolicy:RolePolicy", name, policy, below);
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
            let mut actions = CONSUME.to_vec();
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
