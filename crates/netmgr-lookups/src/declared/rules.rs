//! The meanings of the inputs of declared functions: properties that the object must have, and keys.
//!
//! Not here: inputs that are paths or parts of paths (`paths.rs`), and filters of lists (`filters.rs`).

use std::borrow::Cow;
use std::time::Duration;

use netmgr_types::number;
use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;
use schemars::Schema;
use serde_json::Value;

use super::plan::{EXTERNAL_ID, ObjectKey, PlanBuilder};
use crate::plan::IsMeant;
use crate::read::KeyField;
use crate::reads::InputReads;
use crate::selection::Filter;

/// The meaning of an input with values of type `V`.
pub(crate) trait Rule<V> {
    /// Restricts `plan`. `field` is the name of the input in Rust.
    fn apply(&self, field: &str, value: &V, plan: &mut PlanBuilder<'_>);

    /// Adds what the function reads because of the input.
    fn reads(&self, _reads: &mut InputReads) {}

    /// Adds what is permitted to the schema of the input.
    fn describe(&self, _schema: &mut Schema) {}
}

/// An input type of a declared function.
pub(crate) trait Named {
    /// Name of the function: `getPolicyGroup`.
    const FUNCTION: &str;
}

/// Mark of a key in the schema, which takes precedence over the id.
const KEY: &str = "x-key";

/// Gives the schema of an input type the title `PolicyGroupInput` and a description.
pub(crate) fn input_of<T: Named>(schema: &mut Schema) {
    describe_input(T::FUNCTION, schema);
}

fn describe_input(function: &str, schema: &mut Schema) {
    let name = function.trim_start_matches("get");
    schema.insert("title".to_owned(), format!("{name}Input").into());
    schema.insert("description".to_owned(), format!("Input of `{function}`.").into());
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let Some(inputs) = properties else { return };
    let is_key = |input: &mut Value| {
        input
            .as_object_mut()
            .is_some_and(|input| input.remove(KEY).is_some())
    };
    let are_keys: Vec<bool> = inputs.values_mut().map(is_key).collect();
    if are_keys.contains(&true)
        && let Some(id) = inputs.get_mut("id")
    {
        id["description"] = "Id of the object. Takes precedence over `displayName`.".into();
    }
}

/// A string of the object must equal the input.
pub(crate) struct Text(&'static str);

/// The member `wire` of the object must equal the input.
pub(crate) const fn text(wire: &'static str) -> Text {
    Text(wire)
}

impl Rule<Option<String>> for Text {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        if let Some(wanted) = given(value) {
            plan.filter_text(field, self.0, wanted);
        }
    }
}

impl Rule<String> for Text {
    fn apply(&self, field: &str, value: &String, plan: &mut PlanBuilder<'_>) {
        match value.as_str() {
            "" => plan.refuse(&camel_case(field), "is required"),
            wanted => plan.filter_text(field, self.0, wanted),
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("minLength".to_owned(), 1.into());
    }
}

/// A string of the object must equal the input, which is one of several known values.
pub(crate) struct OneOf(&'static str, &'static [&'static str]);

/// The member `wire` of the object must equal the input, which is one of `known`.
pub(crate) const fn one_of(wire: &'static str, known: &'static [&'static str]) -> OneOf {
    OneOf(wire, known)
}

impl Rule<Option<String>> for OneOf {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        match given(value) {
            Some(wanted) if !self.1.contains(&wanted) => {
                let known: Vec<String> = self.1.iter().map(|one| format!("`{one}`")).collect();
                plan.refuse(&camel_case(field), format!("must be one of {}", known.join(", ")));
            }
            Some(wanted) => plan.filter_text(field, self.0, wanted),
            None => {}
        }
    }

    fn describe(&self, schema: &mut Schema) {
        let known = [""].iter().chain(self.1);
        schema.insert("enum".to_owned(), known.copied().collect());
    }
}

/// A flag of the object must equal the input.
pub(crate) struct Flag(&'static str);

/// The member `wire` of the object must equal the input. It is false if it is absent.
pub(crate) const fn flag(wire: &'static str) -> Flag {
    Flag(wire)
}

impl Rule<Option<bool>> for Flag {
    fn apply(&self, field: &str, value: &Option<bool>, plan: &mut PlanBuilder<'_>) {
        let wire = self.0;
        let actual = move |object: &ManagedObject| object.flag(wire).unwrap_or_default().to_string();
        if let Some(wanted) = value {
            plan.filter(field, &wanted.to_string(), actual);
        }
    }
}

/// The member of the object must be true if the input is.
pub(crate) struct IfTrue(pub(crate) &'static str);

impl Rule<Option<bool>> for IfTrue {
    fn apply(&self, field: &str, value: &Option<bool>, plan: &mut PlanBuilder<'_>) {
        if *value == Some(true) {
            flag(self.0).apply(field, value, plan);
        }
    }
}

/// A rule with a default that applies only if the object is not selected by id.
pub(crate) struct FlagOr(&'static str, bool);

/// The member `wire` of the object must equal the input. If it is unset, it must equal `default`, unless the object is
/// selected by id.
pub(crate) const fn flag_or(wire: &'static str, default: bool) -> FlagOr {
    FlagOr(wire, default)
}

impl Rule<Option<bool>> for FlagOr {
    fn apply(&self, field: &str, value: &Option<bool>, plan: &mut PlanBuilder<'_>) {
        let filters = plan.filters.len();
        flag(self.0).apply(field, &Some(value.unwrap_or(self.1)), plan);
        if value.is_none() {
            plan.defaults.extend(plan.filters.drain(filters..));
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("default".to_owned(), self.1.into());
    }
}

/// A string of the object must equal the input, which has a default.
pub(crate) struct TextOr(&'static str, &'static str);

/// The member `wire` of the object must equal the input, which is `default` if it is unset.
pub(crate) const fn text_or(wire: &'static str, default: &'static str) -> TextOr {
    TextOr(wire, default)
}

impl Rule<Option<String>> for TextOr {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        plan.filter_text(field, self.0, given(value).unwrap_or(self.1));
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("default".to_owned(), self.1.into());
    }
}

/// The object must be of a type.
pub(crate) struct TypeOf(&'static [(&'static str, &'static str)]);

/// The object must be of a type: `known` contains the values of the input, each with the manager's `resource_type`. The
/// default `ANY` stands for all of them.
pub(crate) const fn type_of(known: &'static [(&'static str, &'static str)]) -> TypeOf {
    TypeOf(known)
}

impl TypeOf {
    /// The input value for the type of `object`; empty if there is none.
    pub(crate) fn word(&self, object: &ManagedObject) -> &'static str {
        let sent = object.resource_type().unwrap_or_default();
        let known = self.0.iter().find(|(_, known)| *known == sent);
        known.map_or("", |(word, _)| word)
    }
}

impl Rule<Option<String>> for TypeOf {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let known = self.0;
        match given(value) {
            None | Some("ANY") => {}
            Some(wanted) if known.iter().any(|(word, _)| *word == wanted) => {
                plan.filter(field, wanted, move |object| Self(known).word(object).to_owned());
            }
            Some(_) => {
                let words: Vec<String> = known.iter().map(|(word, _)| format!("`{word}`")).collect();
                plan.refuse(
                    &camel_case(field),
                    format!("must be one of `ANY`, {}", words.join(", ")),
                );
            }
        }
    }

    fn describe(&self, schema: &mut Schema) {
        let words = self.0.iter().map(|(word, _)| *word);
        schema.insert("enum".to_owned(), ["", "ANY"].into_iter().chain(words).collect());
        schema.insert("default".to_owned(), "ANY".into());
    }
}

/// A field other than the id identifies the object.
pub(crate) struct Key {
    fields: &'static [KeyField],
    is_meant: IsMeant,
}

/// The object that `fields` identify, if `is_meant` returns true for it.
pub(crate) const fn key(fields: &'static [KeyField], is_meant: IsMeant) -> Key {
    Key { fields, is_meant }
}

impl Rule<Option<String>> for Key {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        if let Some(value) = given(value) {
            plan.key = Some(ObjectKey {
                input: camel_case(field).into_owned(),
                fields: self.fields,
                value: value.to_owned(),
                is_meant: self.is_meant,
            });
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert(KEY.to_owned(), true.into());
    }
}

/// A keyword that the function itself interprets.
pub(crate) struct Word(pub(crate) &'static [&'static str]);

impl Rule<String> for Word {
    fn apply(&self, field: &str, value: &String, plan: &mut PlanBuilder<'_>) {
        match value.as_str() {
            "" => plan.refuse(&camel_case(field), "is required"),
            _ => self.apply(field, &Some(value.clone()), plan),
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("enum".to_owned(), self.0.iter().copied().collect());
    }
}

impl Rule<Option<String>> for Word {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        if given(value).is_some_and(|word| !self.0.contains(&word)) {
            let known: Vec<String> = self.0.iter().map(|word| format!("`{word}`")).collect();
            plan.refuse(&camel_case(field), format!("must be one of {}", known.join(", ")));
        }
    }

    fn describe(&self, schema: &mut Schema) {
        let words = [""].iter().chain(self.0);
        schema.insert("enum".to_owned(), words.copied().collect());
    }
}

/// The object with an external id.
pub(crate) const fn external_id() -> Key {
    key(EXTERNAL_ID, |object, id| object.text("external_id") == Some(id))
}

/// A required string.
pub(crate) struct Required;

impl Rule<String> for Required {
    fn apply(&self, field: &str, value: &String, plan: &mut PlanBuilder<'_>) {
        if value.is_empty() {
            plan.refuse(&camel_case(field), "is required");
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("minLength".to_owned(), 1.into());
    }
}

/// A string that the function itself interprets.
pub(crate) struct Free;

impl<V> Rule<V> for Free {
    fn apply(&self, _: &str, _: &V, _: &mut PlanBuilder<'_>) {}
}

/// A number of seconds.
pub(crate) struct Seconds {
    default: u64,
    minimum: u64,
}

/// A delay in seconds, by default `default`.
pub(crate) const fn delay(default: u64) -> Seconds {
    let minimum = 0;
    Seconds { default, minimum }
}

/// A timeout or interval in seconds, by default `default`. It is at least 1.
pub(crate) const fn at_least_one(default: u64) -> Seconds {
    let minimum = 1;
    Seconds { default, minimum }
}

impl Rule<Option<Duration>> for Seconds {
    fn apply(&self, field: &str, value: &Option<Duration>, plan: &mut PlanBuilder<'_>) {
        if value.is_some_and(|value| value < Duration::from_secs(self.minimum)) {
            plan.refuse(
                &camel_case(field),
                format!("must be at least {} second", self.minimum),
            );
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("minimum".to_owned(), self.minimum.into());
        schema.insert("default".to_owned(), self.default.into());
        schema.insert("exclusiveMaximum".to_owned(), number::seconds::END.into());
    }
}

/// An input that other inputs imply.
pub(crate) struct NoEffect;

impl<V> Rule<V> for NoEffect {
    fn apply(&self, _: &str, _: &V, _: &mut PlanBuilder<'_>) {}
}

impl PlanBuilder<'_> {
    /// Keeps the objects for which `actual` is `wanted`.
    fn filter(
        &mut self,
        field: &str,
        wanted: &str,
        actual: impl Fn(&ManagedObject) -> String + Clone + Send + Sync + 'static,
    ) {
        self.filters
            .push(Filter::equal(camel_case(field), wanted, actual));
    }

    /// Keeps the objects that `fits` accepts for `wanted`.
    pub(super) fn filter_by(
        &mut self,
        field: &str,
        wanted: &str,
        fits: impl Fn(&ManagedObject, &str) -> bool + Send + Sync + 'static,
    ) {
        let actual = |object: &ManagedObject| object.name().to_owned();
        self.filters
            .push(Filter::new(camel_case(field), wanted, actual, fits));
    }

    pub(super) fn filter_text(&mut self, field: &str, wire: &'static str, wanted: &str) {
        self.filters.push(Filter::text(camel_case(field), wanted, wire));
    }
}

/// `tier0_path` as `tier0Path`.
pub(super) fn camel_case(field: &str) -> Cow<'_, str> {
    let field = field.trim_end_matches('_');
    match field.split_once('_') {
        None => field.into(),
        Some((first, rest)) => {
            let capitalized = rest.split('_').map(|word| {
                let (letter, others) = word.split_at(1);
                letter.to_uppercase() + others
            });
            format!("{first}{}", capitalized.collect::<String>()).into()
        }
    }
}
