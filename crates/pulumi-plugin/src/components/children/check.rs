//! Checks of own values for children before anything is registered.

use super::{Child, ChildValues};
use crate::components::error::{InputFailure, InputProblems};
use crate::schema::{ChildSchemas, REQUIRED, similar};
use crate::values::{Object, PropertyPath, Segment, Value};

/// Name of the input with the values.
const INPUT: &str = "children";

/// The path of the values for a child.
pub(super) fn path(child: &str) -> PropertyPath {
    PropertyPath::from(INPUT).join(child.to_owned())
}

/// Checks that each child is declared, that its properties are in the schema of its package, and that the component does
/// not decide them.
pub(crate) fn check(
    declared: &[Child],
    schemas: Option<&ChildSchemas>,
    values: &ChildValues,
    problems: &mut InputProblems,
) {
    for (name, values) in &values.0 {
        let candidates = declared.iter().filter(|child| child.is_named(name));
        let failures = candidates.map(|child| of_child(child, schemas, values));
        // Children of different types can have names of the same form.
        match failures.min_by_key(Vec::len) {
            Some(failures) => report(name, failures, problems),
            None => {
                let names = declared.iter().map(|child| child.name);
                let hint = similar(name, names);
                problems.add(path(name), format!("is not the name of a child{hint}"));
            }
        }
    }
}

/// Adds the problems of the values for a child.
pub(super) fn report(child: &str, failures: Vec<InputFailure>, problems: &mut InputProblems) {
    for InputFailure { property, reason, .. } in failures {
        let inner = property.segments().iter().cloned();
        problems.add(
            inner.fold(path(child), |path, segment| path.join(segment)),
            reason,
        );
    }
}

/// The problems of values, and required properties that they remove from the inputs of the child or leave out.
pub(super) fn of_merged(
    child: &Child,
    schemas: Option<&ChildSchemas>,
    values: &Object,
    merged: &Object,
) -> Vec<InputFailure> {
    let is_given = |failure: &InputFailure| match failure.property.segments().first() {
        Some(Segment::Key(name)) => values.contains_key(name),
        _ => false,
    };
    let of_all = schemas
        .into_iter()
        .flat_map(|schemas| schemas.of_inputs(child.kind.token, merged, true));
    let missing = of_all.filter(|failure| failure.reason == REQUIRED && is_given(failure));
    of_child(child, schemas, values)
        .into_iter()
        .chain(missing)
        .collect()
}

fn of_child(child: &Child, schemas: Option<&ChildSchemas>, values: &Object) -> Vec<InputFailure> {
    let mut failures = Vec::new();
    for own in child.all_own() {
        for path in own.paths {
            let path: PropertyPath = path.parse().expect("a declared path is one");
            if let Some(given) = decided(values, path.segments()) {
                let property = path.segments()[..given].iter().cloned().collect::<PropertyPath>();
                let reason = format!("cannot be changed: {}", own.reason);
                failures.push(InputFailure::new(property, reason));
            }
        }
    }
    let mut values = values.clone();
    for name in child.kind.json_texts {
        match values.get(*name).and_then(Value::known) {
            // It is not an object of the schema.
            Some(Value::Object(_)) => drop(values.remove(*name)),
            Some(Value::String(text)) if !matches!(Value::from_json_text(text), Ok(Value::Object(_))) => {
                let reason = "must be an object, or the JSON text of one";
                failures.push(InputFailure::new(PropertyPath::from(*name), reason));
            }
            _ => {}
        }
    }
    failures.extend(
        schemas
            .into_iter()
            .flat_map(|schemas| schemas.of_inputs(child.kind.token, &values, false)),
    );
    failures
}

/// Whether values change the property at a path: how many segments of it they contain.
fn decided(values: &Object, path: &[Segment]) -> Option<usize> {
    let mut members = values;
    for (index, segment) in path.iter().enumerate() {
        let Segment::Key(name) = segment else { return None };
        match members.get(name)?.known() {
            Some(Value::Object(inner)) if index + 1 < path.len() => members = inner,
            // The value itself, or one that replaces what contains it.
            _ => return Some(index + 1),
        }
    }
    None
}
