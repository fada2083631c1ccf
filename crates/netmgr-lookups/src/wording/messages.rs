//! Messages of failures: the causes and one remedy, in the words of a front end.
//!
//! The libraries name functions and properties as schemas do (`displayName`). A front end passes its own [`Words`] for
//! them, such as flags, and the inputs of the call, so that a remedy only names inputs that help. The sentences of
//! errors and warnings are in `sentences.rs`.

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind};
use netmgr_types::PolicyPath;
use serde_json::Value;

use crate::contract::error::{Candidate, Clues, Error, ErrorKind, Place};
use crate::contract::registry::FunctionEntry;
use crate::finding::object_kind::ObjectKind;
use crate::wording::nouns::any_of;

/// The words of a front end for functions and properties. By default, they are those of the libraries.
#[derive(Debug, Clone, Default)]
pub struct Words(BTreeMap<String, String>);

/// Pairs of a name in the libraries, such as `displayName` or `context.projectId`, and the word for it.
impl FromIterator<(String, String)> for Words {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(names: I) -> Self {
        Self(names.into_iter().collect())
    }
}

impl Words {
    /// These words, with others for some of the names.
    #[must_use]
    pub fn with(mut self, names: impl IntoIterator<Item = (String, String)>) -> Self {
        self.0.extend(names);
        self
    }

    /// A text of the libraries in these words: names in backticks are replaced, unless they are in double quotes or inside
    /// a word, such as a path. Other words can be parts of paths or of the manager's texts.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let mut translated = String::with_capacity(text.len());
        let (mut is_quoted, mut is_begun) = (false, false);
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let length = match letter {
                '\\' if is_quoted => rest.chars().take(2).map(char::len_utf8).sum(),
                '`' if !is_quoted && !is_begun => rest[1..].find('`').map_or(1, |end| end + 2),
                letter => letter.len_utf8(),
            };
            let piece = &rest[..length];
            is_quoted ^= piece == "\"";
            is_begun = !piece.ends_with([' ', '\n', '(', ',']);
            rest = &rest[length..];
            match piece.strip_prefix('`').and_then(|name| name.strip_suffix('`')) {
                Some(name) => translated.push_str(&format!("`{}`", self.name(name))),
                None => translated.push_str(piece),
            }
        }
        translated
    }

    /// One level of an error in these words, without the function and without advice. What quotes the manager or another
    /// library is unchanged.
    #[must_use]
    pub fn error(&self, error: &(dyn StdError + 'static)) -> String {
        let request = error.downcast_ref::<RequestError>();
        let shared = error.downcast_ref::<Arc<Error>>().map(Arc::as_ref);
        match error.downcast_ref::<Error>().or(shared) {
            Some(error) => {
                let (sentence, quoted) = error.parts();
                self.text(&sentence) + &quoted
            }
            // The only names in errors of requests are those of settings.
            None if request.is_some_and(|request| request.failure().property.is_some()) => {
                self.text(&error.to_string())
            }
            None => format!("{error:#}"),
        }
    }

    /// The word for a property, which may be a path such as `context.projectId` or `licenseKeys[1]`.
    fn name(&self, name: &str) -> String {
        if let Some(word) = self.0.get(name) {
            return word.clone();
        }
        let parts = name.split('.').map(|part| {
            let (name, index) = part.split_at(part.find('[').unwrap_or(part.len()));
            format!("{}{index}", self.0.get(name).map_or(name, String::as_str))
        });
        parts.collect::<Vec<_>>().join(".")
    }
}

/// The inputs that a function accepts, and those that were given.
#[derive(Debug, Clone, Default)]
pub struct CallInputs {
    accepted: Vec<String>,
    required: Vec<String>,
    given: Vec<String>,
    /// Given texts that begin or end with white space.
    blank: Vec<String>,
    /// The policy path that was given as a name or an id.
    path: Option<String>,
    /// Whether the path is in no collection that the function reads.
    is_of_others: bool,
    /// Whether the function reads no objects with paths.
    has_no_paths: bool,
}

impl CallInputs {
    /// The inputs of a call of `entry` with `input`.
    #[must_use]
    pub fn of(entry: &FunctionEntry, input: &Value) -> Self {
        let schema = (entry.input_schema)();
        let accepted = schema.get("properties").and_then(Value::as_object);
        let given = input.as_object().into_iter().flatten();
        let given = given.filter(|(_, value)| !value.is_null() && *value != "");
        let path = |name: &str| Some(PolicyPath::parse(input[name].as_str()?).ok()?.as_str().to_owned());
        let required = schema.get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        let has_blank = |value: &Value| value.as_str().is_some_and(|text| text != text.trim());
        let path = path("id").or_else(|| path("displayName"));
        let collection = PolicyPath::trusted(path.as_deref().unwrap_or_default()).collection_name();
        let own = entry
            .kinds()
            .filter_map(|kind| kind.place.collection().rsplit('/').next());
        let own: Vec<&str> = own.collect();
        Self {
            has_no_paths: !entry.kinds().next().is_some_and(ObjectKind::is_policy)
                || !entry.spec.successors.is_empty(),
            is_of_others: own.iter().all(|own| !own.is_empty() && *own != collection),
            accepted: accepted
                .into_iter()
                .flatten()
                .map(|(name, _)| name.clone())
                .collect(),
            required: required.map(str::to_owned).collect(),
            blank: given
                .clone()
                .filter(|(_, value)| has_blank(value))
                .map(|(name, _)| name.clone())
                .collect(),
            given: given.map(|(name, _)| name.clone()).collect(),
            path,
        }
    }

    /// How to select the object at the path that was given as a name or an id.
    fn by_path(&self) -> Option<Remedy> {
        let path = PolicyPath::trusted(self.path.as_ref()?);
        if self.is_left("path") {
            return Some(Remedy::IsPath {
                id: None,
                places: Vec::new(),
            });
        }
        let advice = match (self.has_no_paths, self.is_of_others) {
            (true, _) => Some("this is a policy path; read the object with `getPolicyObject`"),
            (_, true) => Some("this is the path of another type of object; read it with `getPolicyObject`"),
            _ => None,
        };
        if let Some(advice) = advice {
            return Some(Remedy::Advice(advice.to_owned()));
        }
        let has_id = self.accepted.iter().any(|accepted| accepted == "id");
        let place = |collection: &str, input: &str, property: &'static str| {
            let mut segments = path.segments().skip_while(|segment| *segment != collection);
            let id = segments
                .nth(1)
                .filter(|id| *id != "default" && self.is_left(input))?;
            Some((property, id.to_owned()))
        };
        let places = [
            place("domains", "domain", "domain"),
            place("projects", "context", "context.projectId"),
        ];
        has_id.then(|| Remedy::IsPath {
            id: Some(path.id().to_owned()),
            places: places.into_iter().flatten().collect(),
        })
    }

    fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|given| given == name)
    }

    /// The advice if what an input names does not exist.
    fn advice_on(&self, place: Place) -> Option<String> {
        let is_path = |given: &&String| *given == "path" || is_of_parent(given);
        let path = self
            .given
            .iter()
            .find(is_path)
            .map(|path| format!("check `{path}`"));
        match place {
            Place::Collection | Place::Parent => path,
            // The path names the project as well.
            Place::Project | Place::Vpc if path.is_some() && !self.is_given("context") => path,
            Place::Project => Some("check `context.projectId`, the id of the project".to_owned()),
            Place::Vpc => {
                Some("check `context.projectId` and `context.vpcId`, the ids of project and VPC".to_owned())
            }
        }
    }

    /// Whether the input exists and was not given.
    fn is_left(&self, name: &str) -> bool {
        self.accepted.iter().any(|accepted| accepted == name) && !self.is_given(name)
    }
}

/// A remedy for an error. `Display` prints a clause with names in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// These objects have similar names.
    Similar(Vec<String>),
    /// The given name is the id of the object with this name.
    IsId(String),
    /// The given id may be a name.
    IsName,
    /// The given name or id is a policy path. Without an input for paths, its last part is the id, and domain and project
    /// may have to be given.
    IsPath {
        /// The id; `None` if there is an input for paths.
        id: Option<String>,
        /// Further inputs with their values.
        places: Vec<(&'static str, String)>,
    },
    /// The value of this input begins or ends with white space.
    Blank(String),
    /// Leave this input out.
    Omit(&'static str),
    /// Select one object by the first input instead of the second.
    SelectBy(&'static str, Option<String>),
    /// Read one object by its path with another function.
    ReadPath,
    /// Restrict the selection with one of these inputs.
    Restrict(Vec<String>),
    /// Increase this input.
    Increase(&'static str),
    /// Any other advice.
    Advice(String),
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Similar(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
                write!(f, "did you mean {}?", any_of(&names))
            }
            Self::IsId(name) => write!(f, "this is the id of {name:?}; use `id` for an id"),
            Self::IsName => f.write_str("use `displayName` if this is a display name and not an id"),
            Self::IsPath { id: None, .. } => f.write_str("this is a policy path; use `path` for a path"),
            Self::IsPath { id: Some(id), places } => {
                write!(f, "this is a policy path; use its last part, {id:?}, as `id`")?;
                let mut places = places.iter();
                places.try_for_each(|(input, value)| write!(f, " and {value:?} as `{input}`"))
            }
            Self::Blank(input) => write!(f, "remove the blank at the beginning or the end of `{input}`"),
            Self::Omit(input) => write!(f, "omit `{input}` to select it"),
            Self::SelectBy("path", _) => f.write_str("select one of them by `path` alone"),
            Self::SelectBy(input, Some(other)) => {
                write!(f, "select one of them by `{input}` instead of `{other}`")
            }
            Self::SelectBy(input, None) => write!(f, "select one of them by `{input}`"),
            Self::ReadPath => f.write_str("read one of them by its path with `getPolicyObject`"),
            Self::Restrict(inputs) => {
                let inputs: Vec<String> = inputs.iter().map(|input| format!("`{input}`")).collect();
                write!(f, "restrict the selection with {}", any_of(&inputs))
            }
            Self::Increase(input) => write!(f, "increase `{input}`"),
            Self::Advice(advice) => f.write_str(advice),
        }
    }
}

impl Error {
    /// The remedy for this error of a call with these inputs. `None` if there is none.
    #[must_use]
    pub fn remedy(&self, inputs: &CallInputs) -> Option<Remedy> {
        match self {
            Self::Fixed { source, .. } => source.remedy(inputs),
            Self::UnknownFunction { similar, .. } if !similar.is_empty() => {
                Some(Remedy::Similar(similar.clone()))
            }
            Self::NotFound { clues, .. } => Some(clues.remedy(inputs, advice(self))),
            Self::Ambiguous { found, selector, .. } => one_of(found, selector.as_deref(), inputs),
            Self::WaitExceeded {
                is_unselected: true, ..
            } if inputs.is_given("entityType") => Some(Remedy::SelectBy("entityType", None)),
            Self::WaitExceeded { .. } => Some(Remedy::Increase("timeout")),
            Self::RealizationFailed { state, .. } if state.eq_ignore_ascii_case("partial_success") => {
                let setting = "set `toleratePartialSuccess` to accept this state";
                Some(Remedy::Advice(setting.to_owned()))
            }
            _ => advice(self).or_else(|| general(self.kind())).map(Remedy::Advice),
        }
    }
}

impl Clues {
    fn remedy(&self, inputs: &CallInputs, advice: Option<String>) -> Remedy {
        if let Some(by_path) = inputs.by_path() {
            return by_path;
        }
        let is_by = |name| self.selector.as_deref() == Some(name);
        let missing = self.missing.and_then(|place| inputs.advice_on(place));
        let advice = advice.or(missing);
        match (&self.name_of_id, inputs.blank.first(), advice) {
            (Some(name), ..) if inputs.is_left("id") => Remedy::IsId(name.clone()),
            _ if self.is_outside && inputs.is_given("context") => Remedy::Omit("context"),
            _ if !self.similar.is_empty() => Remedy::Similar(self.similar.clone()),
            (_, Some(input), _) => Remedy::Blank(input.clone()),
            (.., Some(advice)) => Remedy::Advice(advice),
            _ if is_by("id") && inputs.is_given("id") && inputs.is_left("displayName") => Remedy::IsName,
            _ if is_by("displayName") => {
                Remedy::Advice("check the inputs; names are case-sensitive".to_owned())
            }
            _ => Remedy::Advice("check the inputs".to_owned()),
        }
    }
}

/// Whether an input names the parent of objects.
fn is_of_parent(input: &str) -> bool {
    input.ends_with("Path") || input == "domain"
}

/// How to select one of several objects that `selector` selects.
fn one_of(found: &[Candidate], selector: Option<&str>, inputs: &CallInputs) -> Option<Remedy> {
    let are_distinct = |key: fn(&Candidate) -> Option<&str>| {
        let keys: std::collections::BTreeSet<_> = found.iter().filter_map(key).collect();
        keys.len() == found.len()
    };
    let parents = inputs
        .accepted
        .iter()
        .filter(|name| is_of_parent(name) && inputs.is_left(name));
    if inputs.is_left("limit") || inputs.is_given("limit") {
        Some(Remedy::Increase("limit"))
    } else if inputs.is_left("id") && are_distinct(|object| Some(&object.id)) {
        // A selector that is required stays.
        let selector = selector.filter(|selector| !inputs.required.iter().any(|name| name == selector));
        Some(Remedy::SelectBy("id", selector.map(str::to_owned)))
    } else if inputs.is_left("path") && are_distinct(|object| object.path.as_deref()) {
        Some(Remedy::SelectBy("path", None))
    } else {
        let parents: Vec<String> = parents.cloned().collect();
        let have_paths = found.iter().all(|object| object.path.is_some());
        match parents.is_empty() {
            false => Some(Remedy::Restrict(parents)),
            true if have_paths => Some(Remedy::ReadPath),
            true => None,
        }
    }
}

/// The advice that follows from the kind of an error alone.
fn general(kind: ErrorKind) -> Option<String> {
    let advice = match kind {
        ErrorKind::Unauthenticated => "check user name and password",
        ErrorKind::PermissionDenied => "give the account a role with read access, such as auditor",
        ErrorKind::Network => "check host, port and certificates",
        ErrorKind::Throttled => "try again later",
        ErrorKind::RealizationFailed => "correct the object on the manager and try again",
        _ => return None,
    };
    Some(advice.to_owned())
}

/// The error and its causes.
fn chain<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error: &&'a (dyn StdError + 'static)| {
        error.source()
    })
}

/// The advice of the request that failed, if one did.
#[must_use]
pub fn advice(error: &(dyn StdError + 'static)) -> Option<String> {
    chain(error).find_map(|error| error.downcast_ref::<RequestError>()?.failure().hint.clone())
}

/// The causes of an error in these words, without advice. A failed connection states its reason itself, which its library
/// states in several errors.
#[must_use]
pub fn causes(error: &(dyn StdError + 'static), words: &Words) -> Vec<String> {
    let mut is_stated = false;
    let stated = chain(error).skip(1).take_while(|cause| {
        let request = cause.downcast_ref::<RequestError>();
        let states = request.is_some_and(|request| {
            request.kind() == RequestErrorKind::Connect && request.failure().reason.is_some()
        });
        !std::mem::replace(&mut is_stated, states)
    });
    stated.map(|cause| words.error(cause)).collect()
}

/// An error with its causes, and the remedy if there is one, in one clause without the function.
#[must_use]
pub fn in_one_clause(error: &(dyn StdError + 'static), remedy: Option<String>, words: &Words) -> String {
    let texts = std::iter::once(words.error(error)).chain(causes(error, words));
    let clause = texts.collect::<Vec<_>>().join(": ");
    match remedy {
        Some(remedy) => format!("{clause}; {}", words.text(&remedy)),
        None => clause,
    }
}

#[cfg(test)]
mod tests;
