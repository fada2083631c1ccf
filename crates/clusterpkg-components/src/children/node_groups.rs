//! Rules of managed node groups that their schema does not contain, for the merged properties.

use pulumi_plugin::components::{InputFailure, InputProblems, Output};
use pulumi_plugin::values::{Object, PropertyPath, Value};

use crate::check::Counts;
use crate::label;

/// The rules of `CreateNodegroup` in the API reference of EKS, and those for labels and taints, that a group breaks.
pub(super) fn broken(group: &Object) -> Vec<InputFailure> {
    let mut problems = InputProblems::new();
    let has = |name: &str| group.get(name).is_some_and(|value| !value.is_null());
    for name in ["diskSize", "remoteAccess"] {
        if has(name) && has("launchTemplate") {
            let reason = "cannot be set together with a launch template; give it to the child with the launch template";
            problems.add(name, reason);
        }
    }
    let kind = group.get("amiType").and_then(|kind| kind.known()?.as_str());
    for name in ["releaseVersion", "version"] {
        if has(name) && kind == Some("CUSTOM") {
            problems.add(name, "cannot be set if amiType is CUSTOM");
        }
    }
    check_sizes(group, &mut problems);
    for key in members(group, "labels").into_iter().flat_map(Object::keys) {
        let path = PropertyPath::from("labels").join(key.clone());
        label::check_of_managed_nodes(&path.to_string(), key, &mut problems);
    }
    let taints = group.get("taints").and_then(|taints| taints.known()?.as_array());
    let taints: Vec<_> = taints.into_iter().flatten().map(taint).collect();
    let taints = taints.iter().enumerate();
    label::check_distinct_taints(
        taints.map(|(index, (key, effect))| (format!("taints[{index}]"), key, effect)),
        &mut problems,
    );
    problems.into_iter().collect()
}

fn members<'a>(group: &'a Object, name: &str) -> Option<&'a Object> {
    group.get(name)?.known()?.as_object()
}

/// Checks that sizes are in order, and that a group updates at most as many nodes at a time as it has.
fn check_sizes(group: &Object, problems: &mut InputProblems) {
    let number = |object: &str, name: &str| members(group, object)?.get(name)?.known()?.as_number();
    let size = |name: &str| number("scalingConfig", name);
    let counts = Counts {
        min: ("scalingConfig.minSize", size("minSize")),
        desired: ("scalingConfig.desiredSize", size("desiredSize")),
        max: ("scalingConfig.maxSize", size("maxSize")),
    };
    counts.check(problems);
    if let (Some(unavailable), Some(most)) = (number("updateConfig", "maxUnavailable"), size("maxSize"))
        && unavailable > most
    {
        let reason = format!("must be at most scalingConfig.maxSize, which is {most}");
        problems.add("updateConfig.maxUnavailable", reason);
    }
}

/// Key and effect of a taint.
fn taint(taint: &Value) -> (Output<String>, Output<String>) {
    let taint = taint.known().and_then(Value::as_object);
    let text = |name: &str| {
        let text = taint.and_then(|taint| taint.get(name)?.known()?.as_str());
        text.map_or_else(Output::unknown, Output::from)
    };
    (text("key"), text("effect"))
}
