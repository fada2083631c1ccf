//! Inputs that are decoded although the schema rejects them: an absent disk size, and taints with several effects.

use pulumi_plugin::components::{Decode, InputProblems, IntoProperty, List, Output};
use pulumi_plugin::values::{PropertyPath, Value};
use schemars::JsonSchema;

pub(super) const DEFAULT_DISK_SIZE: &str = "20Gi";

/// A disk size. The schema requires it, but a program that omits it gets the default.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(inline)]
pub struct DiskSize(pub(super) Output<String>);

impl Decode for DiskSize {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        Output::decode(value, path, problems).map(Self)
    }

    fn absent() -> Option<Self> {
        Some(Self(DEFAULT_DISK_SIZE.into()))
    }
}

/// The effect of a taint: one, as in Kubernetes, or several, as in `Taint` (decision clusters).
#[derive(Debug, Clone, JsonSchema)]
#[schemars(inline)]
pub struct Effects(#[schemars(with = "String")] pub(super) List<String>);

impl Decode for Effects {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let is_list = matches!(value.known(), Some(Value::Array(_)));
        if is_list {
            return Output::decode(value, path, problems).map(Self);
        }
        Output::<String>::decode(value, path, problems).map(|effect| Self(Output::known(vec![effect])))
    }
}

impl IntoProperty for DiskSize {
    fn into_property(self) -> Output<Value> {
        self.0.into_property()
    }
}

impl IntoProperty for Effects {
    fn into_property(self) -> Output<Value> {
        self.0.into_property()
    }
}
