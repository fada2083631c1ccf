//! Deployments into a made-up cloud, behind the engine's resource monitor.

use std::ops::Deref;

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::bags::{bag, json_of};
use pulumi_testing::{FakeMonitor, created};
use serde_json::{Value, json};
use tonic::Status;

/// A deployment: its monitor, which creates everything at once and refuses what comes before something that it
/// needs.
pub(crate) struct Deployment {
    monitor: FakeMonitor,
    /// Whether identifiers and outputs are not known yet.
    pub(crate) preview: bool,
}

impl Deployment {
    /// An engine in an update.
    pub(crate) fn update() -> Self {
        Self::answering(false, |request| Ok(answer(request, false)))
    }

    /// One that only looks ahead.
    pub(crate) fn preview() -> Self {
        Self::answering(true, |request| Ok(answer(request, true)))
    }

    /// Refuses the resource of this name.
    pub(crate) fn refusing(name: &'static str) -> Self {
        Self::answering(false, move |request| match request.name == name {
            true => Err(Status::unknown("quota exceeded")),
            false => Ok(answer(request, false)),
        })
    }

    /// Never done with the resource of this name.
    pub(crate) fn stuck_at(name: &'static str) -> Self {
        let Self { monitor, preview } = Self::update();
        Self {
            monitor: monitor.stuck_at(name),
            preview,
        }
    }

    fn answering(
        preview: bool,
        answers: impl Fn(&rpc::RegisterResourceRequest) -> Result<rpc::RegisterResourceResponse, Status>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let monitor = FakeMonitor::default()
            .in_order()
            .answers(answers)
            .results(|_| Ok(result()));
        Self { monitor, preview }
    }
}

impl Deref for Deployment {
    type Target = FakeMonitor;

    fn deref(&self) -> &FakeMonitor {
        &self.monitor
    }
}

fn answer(request: &rpc::RegisterResourceRequest, preview: bool) -> rpc::RegisterResourceResponse {
    let created = created(request);
    let mut outputs = json_of(created.object);
    let known = request.custom && !preview;
    if known {
        for (name, value) in made_up(request).as_object().unwrap() {
            outputs[name] = value.clone();
        }
    }
    rpc::RegisterResourceResponse {
        urn: format!("urn:pulumi:dev::shop::{}::{}", request.r#type, request.name),
        id: if known { created.id } else { String::new() },
        object: bag(outputs),
        ..Default::default()
    }
}

/// Outputs that children of the components have.
fn made_up(request: &rpc::RegisterResourceRequest) -> Value {
    let name = &request.name;
    match request.r#type.split(':').next() {
        Some("kubernetes") => json!({"metadata": {"name": format!("{name}-1a2b")}}),
        _ => json!({
            "arn": format!("arn:aws:made:eu-west-1:123456789012:{name}"),
            "name": format!("{name}-1a2b"),
            "url": "oidc.example/id/A",
            "endpoint": "https://main.example",
            "certificateAuthority": {"data": "Q0E="},
            "identities": [{"oidcs": [{"issuer": "https://oidc.example/id/A"}]}],
            "version": "1.35",
            "vpcConfig": {"clusterSecurityGroupId": "sg-0c1", "vpcId": "vpc-0a1"},
            "principalArn": "arn:aws:iam::123456789012:role/deployer",
        }),
    }
}

/// The result of the functions that the components call.
fn result() -> rpc::InvokeResponse {
    let result = json!({
        "partition": "aws",
        "dnsSuffix": "amazonaws.com",
        "region": "eu-west-1",
        "name": "eu-west-1",
        "accountId": "123456789012",
        "arn": "arn:aws:sts::123456789012:assumed-role/deployer/session",
        "issuerArn": "arn:aws:iam::123456789012:role/deployer",
    });
    rpc::InvokeResponse {
        r#return: bag(result),
        ..Default::default()
    }
}
