//! Interruption events: a queue that notifies the autoscaler of machines that will be interrupted.

use pulumi_plugin::components::{ChildOptions, Resource, all, properties};
use serde::Serialize;

use crate::cluster::foundation::ControlPlane;
use crate::policy::{PolicyDocument, Statement};

/// An event that the autoscaler reacts to.
struct Event {
    name: &'static str,
    source: &'static str,
    detail_type: &'static str,
    description: &'static str,
}

const EVENTS: [Event; 5] = [
    Event {
        name: "health-event",
        source: "aws.health",
        detail_type: "AWS Health Event",
        description: "Something is wrong with a machine's host",
    },
    Event {
        name: "spot-interrupt",
        source: "aws.ec2",
        detail_type: "EC2 Spot Instance Interruption Warning",
        description: "A spot machine is taken back",
    },
    Event {
        name: "rebalance",
        source: "aws.ec2",
        detail_type: "EC2 Instance Rebalance Recommendation",
        description: "A spot machine may be taken back",
    },
    Event {
        name: "state-change",
        source: "aws.ec2",
        detail_type: "EC2 Instance State-change Notification",
        description: "A machine stops or is terminated",
    },
    Event {
        name: "capacity-event",
        source: "aws.ec2",
        detail_type: "EC2 Capacity Reservation Instance Interruption Warning",
        description: "A machine's reserved capacity ends",
    },
];

/// The events of a rule.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct EventPattern {
    source: [&'static str; 1],
    detail_type: [&'static str; 1],
}

/// Registers the queue and the rules that send events to it.
pub(super) fn events(base: &ControlPlane) -> (Resource, Vec<Resource>) {
    let queue = queue(base);
    let mut filling = vec![queue_policy(base, &queue)];
    filling.extend(EVENTS.iter().map(|event| target(base, &queue, event)));
    (queue, filling)
}

fn queue(base: &ControlPlane) -> Resource {
    let inputs = properties! {
        "messageRetentionSeconds": 300,
        "sqsManagedSseEnabled": true,
        "tags": base.tags.clone(),
    };
    base.scope.register(
        "aws:sqs/queue:Queue",
        base.name("autoscaler-events"),
        inputs,
        ChildOptions::new(),
    )
}

fn queue_policy(base: &ControlPlane, queue: &Resource) -> Resource {
    let policy = all((queue.output::<String>("arn"), base.account.clone())).map(|(arn, account)| {
        PolicyDocument::new([
            Statement::allow(["sqs:SendMessage"])
                .service(["events.amazonaws.com", "sqs.amazonaws.com"])
                .on([arn.clone()])
                .when("StringEquals", "aws:SourceAccount", [account]),
            Statement::deny(["sqs:*"])
                .everyone()
                .on([arn])
                .when("Bool", "aws:SecureTransport", ["false"]),
        ])
    });
    let inputs = properties! { "queueUrl": queue.output::<String>("url"), "policy": policy };
    let name = base.name("autoscaler-events-policy");
    base.scope.register(
        "aws:sqs/queuePolicy:QueuePolicy",
        name,
        inputs,
        ChildOptions::below(queue),
    )
}

/// Registers a rule that matches events, with the queue as its target.
fn target(base: &ControlPlane, queue: &Resource, event: &Event) -> Resource {
    let pattern = EventPattern {
        source: [event.source],
        detail_type: [event.detail_type],
    };
    let inputs = properties! {
        "description": event.description,
        "eventPattern": serde_json::to_string(&pattern).expect("a pattern has text keys only"),
        "tags": base.tags.clone(),
    };
    let name = base.name(event.name);
    let token = "aws:cloudwatch/eventRule:EventRule";
    let rule = base
        .scope
        .register(token, name.clone(), inputs, ChildOptions::below(queue));
    let inputs = properties! {
        "rule": rule.output::<String>("name"),
        "targetId": "KarpenterInterruptionQueueTarget",
        "arn": queue.output::<String>("arn"),
    };
    base.scope.register(
        "aws:cloudwatch/eventTarget:EventTarget",
        name,
        inputs,
        ChildOptions::below(&rule),
    )
}
