//! Graphs of components. A component is constructed as in a preview, in which only the inputs are known.

use pulumi_plugin::components::recording::{GraphNode, RecordingEngine};
use pulumi_plugin::components::{Child, ComponentEntry, ConstructError, ConstructRequest, Severity};
use pulumi_plugin::values::Object;

/// The name of the component in its graph.
const NAME: &str = "main";

/// Beginnings of types that serve a single other child.
const DETAILS: [&str; 9] = [
    "aws:iam/role:",
    "aws:iam/policy:",
    "aws:iam/rolePolicyAttachment:",
    "aws:eks/accessEntry:",
    "aws:cloudwatch/",
    "aws:sqs/queuePolicy:",
    "kubernetes:core/v1:ServiceAccount",
    "kubernetes:apiextensions.k8s.io/",
    "clusterpkg:",
];

/// The graph of a component.
#[derive(Debug, Clone)]
pub struct ComponentGraph {
    /// All resources as a Mermaid flowchart. Those that inputs can disable have dashed borders.
    pub chart: String,
    /// The chart without roles, policies and similar resources that serve a single other one.
    pub overview: String,
    /// Warnings of the component about the inputs.
    pub warnings: Vec<String>,
}

/// Draws a component with these inputs, with a recorder instead of the engine. Resources have the names by which programs
/// give children own values.
///
/// # Errors
///
/// The component rejects the inputs.
pub async fn graph(component: &ComponentEntry, inputs: Object) -> Result<ComponentGraph, ConstructError> {
    let engine = RecordingEngine::new().preview();
    let request = ConstructRequest {
        name: NAME.to_owned(),
        preview: true,
        inputs,
        ..ConstructRequest::default()
    };
    (component.construct)(engine.registrar(), request).await?;
    let record = engine.record();
    let chart = |is_shown: fn(&str) -> bool| {
        record.mermaid_of(|resource| {
            let found = Child::find(component.children, NAME, &resource.name, &resource.token);
            let (label, dashed) = match found {
                Some((child, name)) => (name.to_owned(), child.condition.is_some()),
                None => (resource.name.clone(), false),
            };
            is_shown(&resource.token).then_some(GraphNode { label, dashed })
        })
    };
    let warnings = record
        .messages
        .iter()
        .filter(|message| message.severity == Severity::Warning);
    Ok(ComponentGraph {
        chart: chart(|_| true),
        overview: chart(|token| !DETAILS.iter().any(|detail| token.starts_with(detail))),
        warnings: warnings.map(|message| message.text.clone()).collect(),
    })
}
