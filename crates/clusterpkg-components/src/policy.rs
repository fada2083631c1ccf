//! IAM policy documents, built from known text and written as JSON. Who may assume which role, and what each
//! add-on may do, is beside the component or add-on itself.

use std::collections::BTreeMap;

use engine_components::{IntoProperty, Output};
use engine_values::Value;
use serde::Serialize;

/// A policy document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct PolicyDocument {
    version: &'static str,
    statement: Vec<Statement>,
}

/// One statement of a policy document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Statement {
    effect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    principal: Option<Principal>,
    action: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource: Vec<String>,
    /// Operator, key, allowed values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    condition: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

/// Who a statement is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) enum Principal {
    /// Services, by their names.
    Service(Vec<String>),
    /// An identity provider, by its ARN.
    Federated(String),
    /// Everyone: written as `{"AWS": "*"}`, which IAM takes for the same as `"*"`.
    #[serde(rename = "AWS")]
    Aws(String),
}

impl PolicyDocument {
    /// A document of these statements.
    pub(crate) fn new(statements: impl IntoIterator<Item = Statement>) -> Self {
        Self {
            version: "2012-10-17",
            statement: statements.into_iter().collect(),
        }
    }

    /// A role that a service may assume.
    pub(crate) fn service_trust(service: &str) -> Self {
        Self::new([Statement::allow(["sts:AssumeRole"]).service([service])])
    }

    /// The document as it is sent.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a document has text keys only")
    }
}

/// A document is a property as its JSON text.
impl IntoProperty for PolicyDocument {
    fn into_property(self) -> Output<Value> {
        self.to_json().into_property()
    }
}

impl Statement {
    /// Allows actions.
    pub(crate) fn allow<S: Into<String>>(actions: impl IntoIterator<Item = S>) -> Self {
        Self {
            effect: "Allow",
            principal: None,
            action: texts(actions),
            resource: Vec::new(),
            condition: BTreeMap::new(),
        }
    }

    /// Denies actions.
    pub(crate) fn deny<S: Into<String>>(actions: impl IntoIterator<Item = S>) -> Self {
        Self {
            effect: "Deny",
            ..Self::allow(actions)
        }
    }

    /// To these resources.
    pub(crate) fn on<S: Into<String>>(mut self, resources: impl IntoIterator<Item = S>) -> Self {
        self.resource.extend(texts(resources));
        self
    }

    /// For these services.
    pub(crate) fn service<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.principal = Some(Principal::Service(texts(names)));
        self
    }

    /// For identities of this provider.
    pub(crate) fn federated(mut self, arn: impl Into<String>) -> Self {
        self.principal = Some(Principal::Federated(arn.into()));
        self
    }

    /// For everyone.
    pub(crate) fn everyone(mut self) -> Self {
        self.principal = Some(Principal::Aws("*".to_owned()));
        self
    }

    /// Only when `key` compares to one of `values`. Several conditions must all hold.
    pub(crate) fn when<S: Into<String>>(
        mut self,
        operator: &str,
        key: impl Into<String>,
        values: impl IntoIterator<Item = S>,
    ) -> Self {
        self.condition
            .entry(operator.to_owned())
            .or_default()
            .insert(key.into(), texts(values));
        self
    }
}

fn texts<S: Into<String>>(parts: impl IntoIterator<Item = S>) -> Vec<String> {
    parts.into_iter().map(Into::into).collect()
}
