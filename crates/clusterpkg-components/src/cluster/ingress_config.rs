//! The combination of the current and the deprecated inputs for ingress controllers (decision clusters).

use pulumi_plugin::components::{Deferrable, InputProblems, IntoProperty, Map, Output, Properties, Scope};
use pulumi_plugin::values::{Object, Value};

use crate::cluster::ingress_inputs::{IngressImage, ProxyIngressConfig};
use crate::cluster::inputs::ClusterInputs;

/// The combined inputs for ingress controllers.
pub(super) struct Ingress {
    pub(super) external: bool,
    /// Whether the program explicitly enables or disables the external controller. An unknown value counts as
    /// explicit.
    pub(super) external_is_chosen: bool,
    pub(super) internal: bool,
    /// The same for the internal controller.
    pub(super) internal_is_chosen: bool,
    pub(super) config: Effective,
}

/// All members: from the current input, then from the deprecated input, then the defaults.
#[derive(Clone)]
pub(super) struct Effective {
    pub(super) additional_config: Map<String>,
    pub(super) allow_snippet_annotations: Output<bool>,
    pub(super) controller_replicas: Output<i32>,
    pub(super) enable_metrics: Output<bool>,
    pub(super) enable_service_monitor: Output<bool>,
    pub(super) extra_service_annotations: Map<String>,
    pub(super) image: Output<Option<IngressImage>>,
    pub(super) nlb_target_type: Output<String>,
    pub(super) service_monitor_namespace: Output<Option<String>>,
}

/// `member!(inputs, name, default)`: one member of the two objects. Without `default`, the default of the member.
macro_rules! member {
    ($inputs:expr, $name:ident) => {
        member!($inputs, $name, ProxyIngressConfig::default().$name())
    };
    ($inputs:expr, $name:ident, $default:expr) => {{
        let default = $default;
        let former = match &$inputs.ingress_config {
            Some(former) => former.clone().then(move |config| config.$name.unwrap_or(default)),
            None => default,
        };
        match &$inputs.proxy_ingress_config {
            Some(current) => current.clone().then(move |config| config.$name.unwrap_or(former)),
            None => former,
        }
    }};
}

/// `optional_member!(inputs, name)`: one member without a default.
macro_rules! optional_member {
    ($inputs:expr, $name:ident) => {{
        let former = match &$inputs.ingress_config {
            Some(former) => former
                .clone()
                .then(|config| some_or(config.$name, Output::known(None))),
            None => Output::known(None),
        };
        match &$inputs.proxy_ingress_config {
            Some(current) => current.clone().then(move |config| some_or(config.$name, former)),
            None => former,
        }
    }};
}

fn some_or<T: Deferrable>(value: Option<Output<T>>, or: Output<Option<T>>) -> Output<Option<T>> {
    value.map_or(or, |value| value.map(Some))
}

/// Whether one of the three inputs for a controller is set. An unknown value counts as set.
macro_rules! is_chosen {
    ($inputs:expr, $flag:ident, $member:ident) => {{
        let former = $inputs.ingress_config.as_ref().and_then(Output::peek_known);
        let current = $inputs.proxy_ingress_config.as_ref().and_then(Output::peek_known);
        $inputs.$flag.is_some()
            || former.is_some_and(|config| config.$member.is_some())
            || current.is_some_and(|config| config.$member.is_some())
    }};
}

impl Ingress {
    pub(super) fn from_inputs(inputs: &ClusterInputs) -> Self {
        // A preview shows a controller unless it is known to be disabled.
        let external = member!(inputs, enable_external).peek_known() != Some(&false);
        let internal = member!(inputs, enable_internal).peek_known() != Some(&false);
        Self {
            external: external && *inputs.enable_external_ingress().get(),
            external_is_chosen: is_chosen!(inputs, enable_external_ingress, enable_external),
            internal: internal && *inputs.enable_internal_ingress().get(),
            internal_is_chosen: is_chosen!(inputs, enable_internal_ingress, enable_internal),
            config: Effective {
                additional_config: member!(inputs, additional_config, Output::known(Default::default())),
                allow_snippet_annotations: member!(inputs, allow_snippet_annotations),
                controller_replicas: member!(inputs, controller_replicas),
                enable_metrics: member!(inputs, enable_metrics),
                enable_service_monitor: member!(inputs, enable_service_monitor),
                extra_service_annotations: member!(
                    inputs,
                    extra_service_annotations,
                    Output::known(Default::default())
                ),
                image: optional_member!(inputs, image),
                nlb_target_type: member!(inputs, nlb_target_type),
                service_monitor_namespace: optional_member!(inputs, service_monitor_namespace),
            },
        }
    }
}

/// Deprecated inputs can repeat the values of their replacement, but not contradict them.
pub(super) fn check_agreement(inputs: &ClusterInputs, problems: &mut InputProblems) {
    let current = inputs
        .proxy_ingress_config
        .as_ref()
        .and_then(Output::peek_known)
        .map(members);
    let Some(current) = current else { return };
    let mut compare = |path: &str, name: &str, value: &Value| {
        let differs = |current: &Value| {
            let (current, former) = (current.clone().strip(), value.clone().strip());
            !current.1.unknown && !former.1.unknown && current.0 != former.0
        };
        if current.get(name).is_some_and(differs) {
            problems.add(
                path,
                format!("is deprecated and contradicts proxyIngressConfig.{name}; remove it"),
            );
        }
    };
    for (path, name, flag) in [
        (
            "enableExternalIngress",
            "enableExternal",
            &inputs.enable_external_ingress,
        ),
        (
            "enableInternalIngress",
            "enableInternal",
            &inputs.enable_internal_ingress,
        ),
    ] {
        if let Some(flag) = flag {
            compare(path, name, &Value::Bool(*flag.get()));
        }
    }
    if let Some(former) = inputs.ingress_config.as_ref().and_then(Output::peek_known) {
        for (name, value) in members(former) {
            compare(&format!("ingressConfig.{name}"), &name, &value);
        }
    }
}

/// The members that are set in a known configuration.
fn members<C: Clone + Into<Properties>>(config: &C) -> Object {
    let properties: Properties = config.clone().into();
    match properties.into_property().peek_known() {
        Some(Value::Object(members)) => members.clone(),
        _ => Object::new(),
    }
}

/// Warns about deprecated inputs.
pub(super) fn warn_of_deprecated(scope: &Scope, inputs: &ClusterInputs) {
    for (path, is_set, instead) in [
        (
            "enableExternalIngress",
            inputs.enable_external_ingress.is_some(),
            "proxyIngressConfig.enableExternal",
        ),
        (
            "enableInternalIngress",
            inputs.enable_internal_ingress.is_some(),
            "proxyIngressConfig.enableInternal",
        ),
        (
            "ingressConfig",
            inputs.ingress_config.is_some(),
            "proxyIngressConfig",
        ),
    ] {
        if is_set {
            scope.warn(format!("{path} is deprecated; use {instead}"));
        }
    }
}
