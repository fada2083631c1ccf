//! The meanings of the inputs of declared functions. What paths mean for a plan is in `paths.rs`.

use std::borrow::Cow;
use std::time::Duration;

use netmgr_types::number;
use netmgr_types::shapes::{ID_SEGMENT, OPTIONAL_ID_SEGMENT, given};
use netmgr_types::wire::ManagedObject;
use regex::Regex;
use schemars::Schema;
use serde_json::{Value, json};

use super::paths::{ENFORCEMENT_POINT, InterfaceKinds, PathKind, VPN_SERVICE, optional, site_pattern};
use super::plan::{EXTERNAL_ID, PlanBuilder};
use crate::finding::names;
use crate::finding::plan::Identifies;
use crate::finding::read::{By, KeyField};
use crate::finding::selection::Filter;
use crate::finding::tag_filter::TagCondition;

/// Mark of a key in the schema, which takes precedence over the id.
pub(super) const KEY: &str = "x-key";

/// The meaning of an input. Members are those of the object.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    // The function itself interprets the input.
    /// Any value.
    Unchecked,
    /// A value without effect, or with one that other inputs imply.
    NoEffect,
    /// A string that is not empty.
    Required,
    /// One of these words.
    Keyword(&'static [&'static str]),
    /// Seconds: see [`delay`] and [`at_least_one`].
    Seconds { default: u64, minimum: u64 },
    /// The path of an object that further requests are about.
    AnyPathOf(PathKind),
    /// The same, also in a tree of another kind of manager.
    ForeignPathOf(PathKind),

    // A member of the object must have the value.
    /// This member must be equal.
    Text(&'static str),
    /// This number must be equal.
    Number(&'static str),
    /// This value, which follows from several members, must be equal.
    Computed(fn(&ManagedObject) -> String),
    /// This member must be equal. The input has a default.
    TextOr(&'static str, &'static str),
    /// This member must be equal. The input is one of these words.
    OneOf(&'static str, &'static [&'static str]),
    /// This member must be equal. It is false if it is absent.
    Flag(&'static str),
    /// This member must be true if the input is.
    IfTrue(&'static str),
    /// This member must be equal. If the input is unset, it must equal the default, unless the object is selected by id.
    FlagOr(&'static str, bool),
    /// This member must be the path.
    PathOf(&'static str, PathKind),
    /// The object must be of a type: values of the input, each with the manager's `resource_type`. `ANY` stands for all.
    TypeOf(TypeWords),

    // Each object of a list must match.
    /// The display name must be equal.
    ExactName,
    /// The display name must be equal or begin with the input.
    NamePrefix,
    /// The display name must match a regular expression anywhere.
    NamePattern,
    /// This member must begin with the input, ignoring case.
    Beginning(&'static str),
    /// This member must contain the input, ignoring case.
    Containing(&'static str),
    /// It must have a tag with this scope.
    TagScope,
    /// It must have a tag with this value. An input before it can restrict the scope.
    TagValue,
    /// The power state of a virtual machine must be equal.
    PowerState,

    // The input identifies the object.
    /// These members identify it.
    Key(&'static [KeyField], Identifies),
    /// Its id, with or without the id of its version before it: `VERSION/ID`.
    IdInVersion,
    /// The path of the object itself, instead of its id.
    OwnPath(PathKind),

    // The object is in a place.
    /// It is below the object at this path.
    Parent(PathKind),
    /// It is an interface below the gateway or locale service at this path; its kind depends on the tier.
    Interfaces(PathKind, &'static InterfaceKinds),
    /// It is an endpoint of the VPN service at this path.
    VpnService,
    /// It is in a domain. Default `default`.
    Domain,
    /// It is in a site. Required on a global manager.
    Site,
    /// It is below an enforcement point. Its input follows that of the site.
    EnforcementPoint,
    /// It is a member of a group. Its input follows that of the domain.
    MembersOf,
    /// The manager lists it for an enforcement point.
    AtEnforcementPoint,
}

/// Words for types, each with the manager's `resource_type`.
pub(crate) type TypeWords = &'static [(&'static str, &'static str)];

/// A delay in seconds, by default `default`.
pub(crate) const fn delay(default: u64) -> Rule {
    Rule::Seconds { default, minimum: 0 }
}

/// A timeout or interval in seconds, by default `default`. It is at least 1.
pub(crate) const fn at_least_one(default: u64) -> Rule {
    Rule::Seconds { default, minimum: 1 }
}

/// The external id of the object.
pub(crate) const EXTERNAL: Rule = Rule::Key(EXTERNAL_ID, |object, id| object.text("external_id") == Some(id));

/// The word for the type of `object`; empty if there is none.
pub(crate) fn type_word(known: TypeWords, object: &ManagedObject) -> &'static str {
    let sent = object.resource_type().unwrap_or_default();
    let known = known.iter().find(|(_, known)| *known == sent);
    known.map_or("", |(word, _)| word)
}

/// Input values for power states, and the manager's values.
const POWER_STATES: [(&str, &str); 4] = [
    ("running", "VM_RUNNING"),
    ("stopped", "VM_STOPPED"),
    ("suspended", "VM_SUSPENDED"),
    ("unknown", "UNKNOWN"),
];

/// A value of an input. Empty strings are treated as unset.
pub(crate) enum InputValue<'a> {
    Text(Option<&'a str>),
    Flag(Option<bool>),
    Seconds(Option<Duration>),
    Number(Option<u32>),
}

/// A type of inputs.
pub(crate) trait InputType {
    /// Whether the input is required.
    const IS_REQUIRED: bool = false;

    fn value(&self) -> InputValue<'_>;
}

impl InputType for String {
    const IS_REQUIRED: bool = true;

    fn value(&self) -> InputValue<'_> {
        InputValue::Text(Some(self.as_str()).filter(|text| !text.is_empty()))
    }
}

impl InputType for Option<String> {
    fn value(&self) -> InputValue<'_> {
        InputValue::Text(given(self))
    }
}

impl InputType for Option<bool> {
    fn value(&self) -> InputValue<'_> {
        InputValue::Flag(*self)
    }
}

impl InputType for Option<Duration> {
    fn value(&self) -> InputValue<'_> {
        InputValue::Seconds(*self)
    }
}

impl InputType for Option<u32> {
    fn value(&self) -> InputValue<'_> {
        InputValue::Number(*self)
    }
}

impl Rule {
    /// Restricts `plan`. `field` is the name of the input in Rust.
    pub(super) fn apply<V: InputType>(&self, field: &str, value: &V, plan: &mut PlanBuilder<'_>) {
        let property = &*camel_case(field);
        match value.value() {
            InputValue::Text(Some(text)) => self.apply_text(property, text, plan),
            InputValue::Text(None) => self.apply_nothing(property, V::IS_REQUIRED, plan),
            InputValue::Flag(flag) => self.apply_flag(property, flag, plan),
            InputValue::Seconds(seconds) => match *self {
                Self::Seconds { minimum, .. }
                    if seconds.is_some_and(|seconds| seconds < Duration::from_secs(minimum)) =>
                {
                    plan.refuse(property, format!("must be at least {minimum} second"));
                }
                _ => {}
            },
            InputValue::Number(number) => {
                if let (Self::Number(member), Some(number)) = (*self, number) {
                    let own = move |object: &ManagedObject| {
                        object
                            .number(member)
                            .map_or_else(String::new, |own| own.to_string())
                    };
                    plan.filters
                        .push(Filter::equal(property, number.to_string(), own));
                }
            }
        }
    }

    fn apply_text(&self, property: &str, text: &str, plan: &mut PlanBuilder<'_>) {
        let text = match self.path_kind().map_or(Ok(text), |kind| kind.read(text)) {
            Ok(text) => text,
            Err(reason) => return plan.refuse(property, reason),
        };
        let mut keep = |filter| plan.filters.push(filter);
        match *self {
            Self::Keyword(known) | Self::OneOf(_, known) if !known.contains(&text) => {
                plan.refuse(property, format!("must be one of {}", quoted(known)));
            }
            Self::Text(member) | Self::TextOr(member, _) | Self::OneOf(member, _) => {
                keep(Filter::text(property, text, member));
            }
            Self::Computed(own) => keep(Filter::equal(property, text, own)),
            Self::PathOf(member, kind) => {
                keep(Filter::text(property, text, member));
                plan.mention(kind, text);
            }
            Self::TypeOf(_) if text == "ANY" => {}
            Self::TypeOf(known) if known.iter().any(|(word, _)| *word == text) => {
                keep(Filter::equal(property, text, move |object| {
                    type_word(known, object).to_owned()
                }));
            }
            Self::TypeOf(known) => {
                let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
                plan.refuse(property, format!("must be one of `ANY`, {}", quoted(&words)));
            }
            Self::ExactName => keep(named(property, text, |object, wanted| {
                names::is_same(object.name(), wanted)
            })),
            Self::NamePrefix => keep(named(property, text, |object, wanted| {
                names::begins(object.name(), wanted)
            })),
            Self::NamePattern => match Regex::new(text) {
                Ok(pattern) => keep(named(property, text, move |object, _| {
                    pattern.is_match(object.name())
                })),
                Err(problem) => plan.refuse(property, not_a_pattern(&problem)),
            },
            Self::Beginning(member) => keep(named(property, text, move |object, wanted| {
                lower(object, member).starts_with(&wanted.to_lowercase())
            })),
            Self::Containing(member) => keep(named(property, text, move |object, wanted| {
                lower(object, member).contains(&wanted.to_lowercase())
            })),
            Self::TagScope => {
                keep(named(property, text, |object, wanted| {
                    TagCondition::new(Some(wanted), None).fits(&object.tags())
                }));
                plan.tag_scope = Some(text.to_owned());
            }
            Self::TagValue => {
                let scope = plan.tag_scope.clone();
                plan.filters.push(named(property, text, move |object, wanted| {
                    TagCondition::new(scope.as_deref(), Some(wanted)).fits(&object.tags())
                }));
            }
            Self::PowerState => match POWER_STATES.iter().find(|(word, _)| *word == text) {
                Some((_, state)) => keep(Filter::text(property, *state, "power_state")),
                None => {
                    let words = POWER_STATES.map(|(word, _)| word);
                    plan.refuse(property, format!("must be one of {}", quoted(&words)));
                }
            },
            Self::Key(fields, identifies) => {
                plan.key = Some((property.to_owned(), identifies));
                plan.read.by = By::Key {
                    fields,
                    value: text.to_owned(),
                };
            }
            Self::IdInVersion => {
                let mut ids = text.splitn(2, '/');
                if ids.any(str::is_empty) {
                    plan.refuse(property, "must be an id or `VERSION/ID`");
                }
            }
            Self::AnyPathOf(kind) => plan.any_path(property, kind, text),
            Self::OwnPath(kind) => plan.own_path(property, kind, text),
            Self::Parent(kind) => plan.below(property, kind, text),
            Self::Interfaces(kind, kinds) => plan.interface(property, kind, kinds, text),
            Self::VpnService => plan.vpn_endpoint(property, text),
            Self::Domain => plan.in_domain(property, text),
            Self::Site => plan.in_site(Some(text)),
            Self::EnforcementPoint => plan.at_point(property, text),
            Self::MembersOf => plan.members_of(property, text),
            Self::AtEnforcementPoint => {
                let filter = ("enforcement_point_path", text.to_owned());
                plan.read.list_filters.push(filter);
            }
            Self::Unchecked | Self::NoEffect | Self::Required | Self::Keyword(_) | Self::ForeignPathOf(_) => {
            }
            // They are not strings.
            Self::Seconds { .. } | Self::Number(_) | Self::Flag(_) | Self::IfTrue(_) | Self::FlagOr(..) => {}
        }
    }

    /// Applies the rule to a string that is unset.
    fn apply_nothing(&self, property: &str, is_required: bool, plan: &mut PlanBuilder<'_>) {
        match *self {
            Self::MembersOf => plan.members_of(property, ""),
            Self::Unchecked | Self::NoEffect => {}
            _ if is_required => plan.refuse(property, "is required"),
            Self::TextOr(member, default) => plan.filters.push(Filter::text(property, default, member)),
            Self::Domain => plan.in_domain(property, "default"),
            Self::Site => plan.in_site(None),
            Self::Interfaces(_, kinds) => {
                if let Some(other) = kinds.instead_of
                    && plan.read.parent.is_none()
                    && plan.problems.is_empty()
                {
                    plan.refuse("", format!("`{other}` or `{property}` is required"));
                }
            }
            _ => {}
        }
    }

    fn apply_flag(&self, property: &str, flag: Option<bool>, plan: &mut PlanBuilder<'_>) {
        let is = |member: &'static str, wanted: bool| {
            let own = move |object: &ManagedObject| object.flag(member).unwrap_or_default().to_string();
            Filter::equal(property, wanted.to_string(), own)
        };
        match (*self, flag) {
            (Self::Flag(member) | Self::FlagOr(member, _), Some(wanted)) => {
                plan.filters.push(is(member, wanted));
            }
            (Self::FlagOr(member, default), None) => plan.defaults.push(is(member, default)),
            (Self::IfTrue(member), Some(true)) => plan.filters.push(is(member, true)),
            _ => {}
        }
    }

    /// Adds what is permitted to the schema of the input.
    pub(crate) fn describe<V: InputType>(&self, schema: &mut Schema) {
        let is_required = V::IS_REQUIRED;
        let mut set = |name: &str, value: Value| drop(schema.insert(name.to_owned(), value));
        let or_empty = |words: &[&str]| -> Value {
            let empty: &[&str] = if is_required { &[] } else { &[""] };
            empty.iter().chain(words).copied().collect()
        };
        match *self {
            Self::Required => set("minLength", json!(1)),
            Self::Text(_) if is_required => set("minLength", json!(1)),
            Self::Keyword(known) | Self::OneOf(_, known) => set("enum", or_empty(known)),
            Self::PowerState => set("enum", or_empty(&POWER_STATES.map(|(word, _)| word))),
            Self::TypeOf(known) => {
                let words = known.iter().map(|(word, _)| *word);
                set("enum", ["", "ANY"].into_iter().chain(words).collect());
                set("default", json!("ANY"));
            }
            Self::Seconds { default, minimum } => {
                set("minimum", json!(minimum));
                set("default", json!(default));
                set("exclusiveMaximum", json!(number::seconds::END));
            }
            Self::FlagOr(_, default) => set("default", json!(default)),
            Self::TextOr(_, default) => set("default", json!(default)),
            Self::NamePattern => set("format", json!("regex")),
            Self::Key(..) => set(KEY, json!(true)),
            Self::Domain => {
                set("pattern", json!(OPTIONAL_ID_SEGMENT));
                set("default", json!("default"));
            }
            Self::EnforcementPoint => set("pattern", json!(OPTIONAL_ID_SEGMENT)),
            Self::MembersOf => set("pattern", json!(ID_SEGMENT)),
            Self::IdInVersion => set("pattern", json!(r"^[^/]+(/[\s\S]+)?$")),
            Self::Site => set("pattern", json!(site_pattern())),
            _ => match self.path_kind().map(PathKind::pattern) {
                Some(pattern) if is_required => set("pattern", json!(pattern)),
                Some(pattern) => set("pattern", json!(optional(&pattern))),
                None => {}
            },
        }
    }

    /// The objects that the path may lead to, if the input is a path.
    fn path_kind(&self) -> Option<&PathKind> {
        match self {
            Self::AnyPathOf(kind)
            | Self::ForeignPathOf(kind)
            | Self::PathOf(_, kind)
            | Self::OwnPath(kind)
            | Self::Parent(kind)
            | Self::Interfaces(kind, _) => Some(kind),
            Self::VpnService => Some(&VPN_SERVICE),
            Self::AtEnforcementPoint => Some(&ENFORCEMENT_POINT),
            _ => None,
        }
    }
}

impl PlanBuilder<'_> {
    /// Restricts the read by the input `field`.
    pub(crate) fn with<V: InputType>(mut self, rule: &Rule, field: &str, value: &V) -> Self {
        rule.apply(field, value, &mut self);
        self
    }
}

/// A filter of a list, whose objects are described by their names.
fn named(
    property: &str,
    wanted: &str,
    fits: impl Fn(&ManagedObject, &str) -> bool + Send + Sync + 'static,
) -> Filter {
    Filter::new(property, wanted, |object| object.name().to_owned(), fits)
}

fn lower(object: &ManagedObject, member: &str) -> String {
    object.text(member).unwrap_or_default().to_lowercase()
}

/// The library shows the expression and the position on lines of their own, and then the reason.
fn not_a_pattern(problem: &regex::Error) -> String {
    let text = problem.to_string();
    let reason = text
        .lines()
        .last()
        .unwrap_or_default()
        .trim_start_matches("error: ");
    format!("is not a valid regular expression: {reason}")
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// `tier0_path` as `tier0Path`.
fn camel_case(field: &str) -> Cow<'_, str> {
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
