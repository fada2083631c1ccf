//! Checks of own values for children before anything is registered.

use super::{Child, ChildValues};
use crate::components::error::{InputFailure, InputProblems};
use crate::schema::{ChildSchemas, similar};
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
            Some(failures) => {
                for InputFailure { property, reason, .. } in failures {
                    let inner = property.segments().iter().cloned();
                    problems.add(inner.fold(path(name), |path, segment| path.join(segment)), reason);
                }
            }
            None => {
                let names = declared.iter().map(|child| child.name);
                let hint = similar(name, names);
                problems.add(path(name), format!("is not the name of a child{hint}"));
            }
        }
    }
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
    // Objects for JSON text are not those of the schema.
    values.retain(|name, value| {
        let is_object = matches!(value.known(), Some(Value::Object(_)));
        !(is_object && child.kind.json_texts.contains(&name.as_str()))
    });
    failures.extend(
        schemas
            .into_iter()
            .flat_map(|schemas| schemas.of_some_inputs(child.kind.token, &values)),
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
