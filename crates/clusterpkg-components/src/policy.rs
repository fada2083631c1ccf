//! IAM policy documents as JSON. Trust policies and permissions are defined in the files of components and
//! add-ons.

use std::collections::BTreeMap;

use pulumi_plugin::components::{IntoProperty, Output};
use pulumi_plugin::values::Value;
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

/// Principal of a statement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) enum Principal {
    /// Services, by their names.
    Service(Vec<String>),
    /// An identity provider, by its ARN.
    Federated(String),
    /// Everyone, as `{"AWS": "*"}`, which is equivalent to `"*"`.
    #[serde(rename = "AWS")]
    Aws(String),
}

impl PolicyDocument {
    /// Creates a document with these statements.
    pub(crate) fn new(statements: impl IntoIterator<Item = Statement>) -> Self {
        Self {
            version: "2012-10-17",
            statement: statements.into_iter().collect(),
        }
    }

    /// Creates a trust policy of a service.
    pub(crate) fn service_trust(service: &str) -> Self {
        Self::new([Statement::allow(["sts:AssumeRole"]).service([service])])
    }

    /// The document as JSON text.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a document has text keys only")
    }
}

/// A document is converted to its JSON text.
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

    /// Sets the resources.
    pub(crate) fn on<S: Into<String>>(mut self, resources: impl IntoIterator<Item = S>) -> Self {
        self.resource.extend(texts(resources));
        self
    }

    /// Sets services as the principal.
    pub(crate) fn service<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.principal = Some(Principal::Service(texts(names)));
        self
    }

    /// Sets an identity provider as the principal.
    pub(crate) fn federated(mut self, arn: impl Into<String>) -> Self {
        self.principal = Some(Principal::Federated(arn.into()));
        self
    }

    /// Sets everyone as the principal.
    pub(crate) fn everyone(mut self) -> Self {
        self.principal = Some(Principal::Aws("*".to_owned()));
        self
    }

    /// Adds a condition that compares `key` with `values`. All conditions must hold.
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
