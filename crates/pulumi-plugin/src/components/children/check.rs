//! Checks of own values for children before anything is registered.

use super::{Child, ChildKind, ChildValues, null_at};
use crate::components::error::{InputFailure, InputProblems};
use crate::schema::{ChildSchemas, REQUIRED, similar};
use crate::values::{Object, PropertyPath, Segment, Value};

/// Name of the input with the values.
const INPUT: &str = "children";

/// The path of the values for a child.
pub(super) fn path(child: &str) -> PropertyPath {
    PropertyPath::from(INPUT).join(child.to_owned())
}

/// Checks the values as far as that is possible before the component is built.
pub(crate) fn check(
    declared: &[Child],
    schemas: Option<&ChildSchemas>,
    values: &ChildValues,
    problems: &mut InputProblems,
) {
    for (name, values) in &values.0 {
        check_child(declared, schemas, name, values, problems);
    }
}

/// Checks that a child is declared, that its properties are in the schema of its package, and that the component does not
/// decide them.
pub(super) fn check_child(
    declared: &[Child],
    schemas: Option<&ChildSchemas>,
    name: &str,
    values: &Object,
    problems: &mut InputProblems,
) {
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

/// The values with a null for each property of the component that one of them replaces.
pub(super) fn without_alternatives(kind: &ChildKind, mut values: Object) -> Object {
    for (given, removed) in kind.instead {
        let names: Vec<_> = removed.split('.').collect();
        if is_set(&values, given) {
            // A value at the path is a problem of its own.
            let _ = null_at(&mut values, &names);
        }
    }
    values
}

/// The known value at a path of names.
fn at<'a>(values: &'a Object, path: &str) -> Option<&'a Value> {
    let (first, rest) = path
        .split_once('.')
        .map_or((path, None), |(first, rest)| (first, Some(rest)));
    let value = values.get(first)?;
    match rest {
        Some(rest) => at(value.known()?.as_object()?, rest),
        None => value.known(),
    }
}

/// Whether there is a value, other than null, at a path of names. It may be unknown.
fn is_set(values: &Object, path: &str) -> bool {
    let (object, name) = path.rsplit_once('.').unwrap_or(("", path));
    let members = match object {
        "" => Some(values),
        object => at(values, object).and_then(Value::as_object),
    };
    let value = members.and_then(|members| members.get(name));
    value.is_some_and(|value| !value.known().is_some_and(Value::is_null))
}

/// Numbers and booleans where a JSON text must have text.
fn not_texts(child: &Child, values: &Object) -> Vec<InputFailure> {
    let texts = child.kind.json_texts.iter().filter_map(|name| {
        let parsed = match values.get(*name)?.known()? {
            Value::String(text) => Value::from_json_text(text).ok()?,
            object => object.clone(),
        };
        Some(((*name).to_owned(), parsed))
    });
    let values: Object = texts.collect();
    let mut failures = Vec::new();
    for path in child.texts {
        let property: PropertyPath = path.parse().expect("a declared path is one");
        let inside = match at(&values, path) {
            Some(Value::Object(members)) => members
                .iter()
                .map(|(name, value)| (property.join(name.clone()), value))
                .collect(),
            Some(value) => vec![(property, value)],
            None => Vec::new(),
        };
        for (property, value) in inside {
            if let Some(value @ (Value::Number(_) | Value::Bool(_))) = value.known() {
                let reason = format!("must be text, such as \"{}\"", value.to_json());
                failures.push(InputFailure::new(property, reason));
            }
        }
    }
    failures
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

/// The problems of values, required properties that they remove from the inputs of the child or leave out, and the rules
/// that the merged properties break.
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
    let mut failures = of_child(child, schemas, values);
    for failure in missing {
        // Elements of lists are complete in the values already.
        if failures.iter().all(|other| other.property != failure.property) {
            failures.push(failure);
        }
    }
    // Rules apply to values of the right types.
    if failures.is_empty() {
        failures.extend((child.kind.rules)(merged));
    }
    failures
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
    for (first, second) in child.kind.instead {
        if is_set(values, first) && is_set(values, second) {
            let property: PropertyPath = first.parse().expect("a declared path is one");
            failures.push(InputFailure::new(
                property,
                format!("cannot be set together with {second}"),
            ));
        }
    }
    failures.extend(not_texts(child, values));
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
