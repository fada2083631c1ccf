//! Objects whose members are unknown, secret or absent.

use std::collections::BTreeMap;

use serde_json::json;

use crate::choice;
use crate::components::{
    ChildPackage, Component, ComponentEntry, ConstructError, Decode, InputProblems, List, Output, Plain,
    Scope,
};
use crate::schema::{Package, PackageMeta};
use crate::values::{Object, OutputValue, PropertyPath, Urn, Value};

record! {
    /// A login.
    pub struct Login {
        /// The user.
        pub user: Output<String>,
        /// The password.
        pub password: Option<Output<String>>,
        /// The number of attempts.
        pub attempts: Output<i32> = 3,
    }

    /// A login that determines children.
    pub struct PlainLogin {
        /// The user.
        pub user: Plain<String>,
    }

    /// Inputs.
    pub struct Inputs {
        /// A login.
        pub login: Option<Login>,
        /// A text that may be absent.
        pub note: Output<Option<String>>,
    }
}

choice! {
    /// How long browsers keep pages.
    pub enum Caching {
        /// Not at all.
        Off = "off",
        /// For a day.
        Daily = "daily-only",
        Forever = "forever",
    }
}

record! {
    /// Inputs of a site.
    pub struct SiteInputs {
        /// Caching of pages.
        pub caching: Output<Caching> = Caching::Daily,
        /// Language of the pages.
        pub language: Option<Output<String>> where default("en"),
    }
}

struct Site;

impl Component for Site {
    const TOKEN: &'static str = "sites:index:Site";
    const PACKAGES: &'static [ChildPackage] = &[];
    type Inputs = SiteInputs;
    type Outputs = SiteInputs;

    fn build(_: &Scope, inputs: SiteInputs) -> Result<SiteInputs, ConstructError> {
        Ok(inputs)
    }
}

fn decode<T: Decode>(value: &Value) -> Result<T, String> {
    let mut problems = InputProblems::new();
    let decoded = T::decode(value, &PropertyPath::default(), &mut problems);
    match problems.is_empty() {
        true => Ok(decoded.expect("decoded without problems")),
        false => Err(problems.to_string()),
    }
}

fn login() -> Value {
    Object::from([
        ("user".to_owned(), "ann".into()),
        ("password".to_owned(), "x".into()),
    ])
    .into()
}

#[test]
fn members_of_a_secret_object_are_secret() {
    let login: Login = decode(&Value::secret(login())).unwrap();
    for member in [&login.user, &login.password.unwrap()] {
        let data = member.peek().unwrap();
        assert!(data.secret && data.value.is_some(), "{member:?}");
    }
}

#[test]
fn members_have_the_dependencies_of_their_object() {
    let urn = Urn::from("urn:pulumi:test::test::test:index:Outer::x");
    let value = OutputValue {
        value: Some(Box::new(login())),
        secret: false,
        dependencies: vec![urn.clone()],
    };
    let login: Login = decode(&value.into()).unwrap();
    assert_eq!(login.user.peek().unwrap().dependencies, [urn].into());
    assert_eq!(login.user.peek_known().unwrap(), "ann");
}

#[test]
fn members_of_an_unknown_object_are_unknown() {
    let login: Login = decode(&Value::UNKNOWN).unwrap();
    for member in [&login.user, &login.password.unwrap()] {
        assert!(member.peek().unwrap().value.is_none(), "{member:?}");
    }
    assert!(login.attempts.peek().unwrap().value.is_none());
    assert_eq!(
        decode::<PlainLogin>(&Value::UNKNOWN).map(drop).unwrap_err(),
        "user: must be known during a preview, but depends on an unknown value"
    );
}

#[test]
fn marks_of_parts_are_marks_of_a_value_without_deferred_parts() {
    let urn = Urn::from("urn:pulumi:test::test::test:index:Outer::x");
    let dependent = Value::from(OutputValue {
        value: Some(Box::new("b".into())),
        secret: true,
        dependencies: vec![urn.clone()],
    });
    let with = |part: Value| Value::Array(vec!["a".into(), part]);
    let list: Output<Vec<String>> = decode(&with(Value::UNKNOWN)).unwrap();
    assert_eq!(list.peek().unwrap().value, None);
    let list: Output<Vec<String>> = decode(&with(dependent.clone())).unwrap();
    let data = list.peek().unwrap();
    assert_eq!(data.value.as_ref().unwrap(), &["a", "b"]);
    assert!(data.secret && data.dependencies == [urn.clone()].into());

    let list: Plain<Vec<String>> = decode(&with(dependent)).unwrap();
    assert_eq!(list.get(), &["a", "b"]);
    assert_eq!(format!("{list:?}"), "Plain(Output([secret]))");
    let data = list.output().peek().unwrap().clone();
    assert!(data.secret && data.dependencies == [urn].into());
    assert_eq!(
        decode::<Plain<Vec<String>>>(&with(Value::UNKNOWN))
            .map(drop)
            .unwrap_err(),
        "must be known during a preview, but depends on an unknown value"
    );
    // Parts that are deferred keep their marks.
    let list: List<String> = decode(&with(Value::UNKNOWN)).unwrap();
    assert_eq!(list.peek_known().unwrap()[0].peek_known().unwrap(), "a");
}

#[test]
fn a_value_that_cannot_keep_marks_says_so() {
    for (value, expected) in [
        (Value::secret("a"), "cannot be secret"),
        (Value::secret(Value::Array(vec![])), "cannot be secret"),
        (
            Value::UNKNOWN,
            "must be known during a preview, but depends on an unknown value",
        ),
        (1.into(), "expected"),
    ] {
        for problem in [
            decode::<Vec<String>>(&value).map(drop),
            decode::<BTreeMap<String, bool>>(&value).map(drop),
        ] {
            let problem = problem.unwrap_err();
            assert!(problem.starts_with(expected), "{value:?}: {problem}");
        }
    }
    let dependent = OutputValue {
        value: Some(Box::new("daily-only".into())),
        secret: false,
        dependencies: vec!["urn:a".into()],
    };
    assert_eq!(decode::<Caching>(&dependent.into()), Ok(Caching::Daily));
}

#[test]
fn a_deferred_option_may_be_absent() {
    let inputs: Inputs = decode(&Object::new().into()).unwrap();
    assert_eq!(inputs.note.peek_known(), Some(&None));
    let null = Object::from([("note".to_owned(), Value::secret(Value::Null))]);
    let inputs: Inputs = decode(&null.into()).unwrap();
    assert_eq!(inputs.note.peek_known(), Some(&None));
    assert!(inputs.login.is_none());
    let schema = schemars::schema_for!(Inputs);
    assert_eq!(schema.get("required"), None, "{schema:?}");
    assert_eq!(schema.as_value()["properties"]["note"]["type"], json!("string"));
}

#[test]
fn a_choice_has_texts_with_descriptions() {
    let package = Package::of_components(
        PackageMeta::new("sites", "1.0.0"),
        &[ComponentEntry::of::<Site>()],
    );
    let document = package.document().unwrap();
    assert_eq!(
        document["types"]["sites:index:Caching"],
        json!({
            "description": "How long browsers keep pages.",
            "type": "string",
            "enum": [
                { "value": "forever" },
                { "value": "off", "description": "Not at all." },
                { "value": "daily-only", "description": "For a day." },
            ],
        })
    );
    let inputs = &document["resources"]["sites:index:Site"]["inputProperties"];
    assert_eq!(
        inputs["caching"],
        json!({
            "description": "Caching of pages. Default: `daily-only`.",
            "$ref": "#/types/sites:index:Caching",
            "default": "daily-only",
        })
    );
}

#[test]
fn a_default_of_an_option_is_described_and_left_to_the_component() {
    let package = Package::of_components(
        PackageMeta::new("sites", "1.0.0"),
        &[ComponentEntry::of::<Site>()],
    );
    let site = &package.document().unwrap()["resources"]["sites:index:Site"];
    assert_eq!(
        site["inputProperties"]["language"],
        json!({ "description": "Language of the pages. Default: `en`.", "type": "string" })
    );
    assert_eq!(site.get("requiredInputs"), None);
    let absent: SiteInputs = decode(&Object::new().into()).unwrap();
    assert!(absent.language.is_none());
    assert_eq!(absent.language().peek_known().unwrap(), "en");
    assert_eq!(absent.caching.peek_known(), Some(&Caching::Daily));
    let chosen = Object::from([("language".to_owned(), "de".into())]);
    let chosen: SiteInputs = decode(&chosen.into()).unwrap();
    assert_eq!(chosen.language().peek_known().unwrap(), "de");
}

#[test]
fn a_choice_is_one_of_its_texts() {
    assert_eq!(decode::<Caching>(&"daily-only".into()), Ok(Caching::Daily));
    let problem = decode::<Caching>(&"weekly".into()).unwrap_err();
    assert_eq!(problem, "must be one of off, daily-only, forever");
}
