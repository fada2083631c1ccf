//! Tests of rules.

use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::components::{Output, record};

const NAME: TextRule = TextRule::new("^[a-z]+$", "must be lower-case letters").at_most(4);

record! {
    /// Inputs with rules.
    pub struct Ruled {
        /// A name.
        #[schemars(transform = NAME.rule())]
        pub name: Option<Output<String>>,
        /// Names.
        #[schemars(extend("minItems" = 1, "uniqueItems" = true, "items" = NAME.schema()))]
        pub names: Option<Output<Vec<Output<String>>>>,
        /// Sizes by name.
        #[schemars(extend("propertyNames" = NAME.schema(), "additionalProperties" = { "minimum": 1, "maximum": 3 }))]
        pub sizes: Option<Output<BTreeMap<String, Output<i32>>>>,
        /// A nested object.
        pub inner: Option<Output<Inner>>,
    }

    /// A nested object.
    pub struct Inner {
        /// One of two.
        #[schemars(extend("enum" = ["a", "b"]))]
        pub kind: Option<Output<String>>,
        /// A user.
        #[schemars(extend("not" = { "pattern": "^system:", "x-reason": "is reserved" }))]
        pub user: Option<Output<String>>,
        /// Replicas.
        #[schemars(extend("minimum" = 0, "multipleOf" = 1, "x-reason" = "must be a whole number"))]
        pub replicas: Option<Output<f64>>,
    }
}

fn problems(inputs: Json) -> Vec<String> {
    let problems = check::<Ruled>(&Value::from_json(inputs).unwrap());
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn rules_of_a_schema_hold_at_every_depth() {
    let inner = |inner: Json| problems(json!({ "inner": inner }));
    assert_eq!(
        problems(json!({ "name": "A" })),
        ["name: must be lower-case letters"]
    );
    assert_eq!(
        problems(json!({ "name": "abcde" })),
        ["name: must have at most 4 characters, not 5"]
    );
    assert_eq!(problems(json!({ "names": [] })), ["names: must not be empty"]);
    assert_eq!(
        problems(json!({ "names": ["a", "1", "a"] })),
        [
            "names[1]: must be lower-case letters",
            "names[2]: must not be listed twice"
        ]
    );
    assert_eq!(
        problems(json!({ "sizes": { "a": 4, "B": 1 } })),
        [
            "sizes.B: the key must be lower-case letters",
            "sizes.a: must be from 1 to 3"
        ]
    );
    assert_eq!(inner(json!({ "kind": "c" })), ["inner.kind: must be one of a, b"]);
    assert_eq!(
        inner(json!({ "user": "system:admin" })),
        ["inner.user: is reserved"]
    );
    assert_eq!(
        inner(json!({ "replicas": 0.5 })),
        ["inner.replicas: must be a whole number"]
    );
    assert_eq!(
        inner(json!({ "replicas": -1 })),
        ["inner.replicas: must be a whole number"]
    );
    let valid =
        json!({ "name": null, "names": ["a"], "inner": { "kind": "a", "user": "ann", "replicas": 2 } });
    assert!(problems(valid).is_empty());
}

#[test]
fn secrets_are_checked_and_unknown_values_are_not() {
    let check =
        |name: Value| check::<Ruled>(&Value::Object([("name".to_owned(), name)].into_iter().collect()));
    assert_eq!(check(Value::secret("A")).iter().count(), 1);
    assert!(check(Value::Unknown(crate::values::Unknown::default())).is_empty());
}
