//! The lookups that decide which places of a configuration are wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream;
use heck::{ToLowerCamelCase as _, ToSnakeCase as _};
use netmgr_lookups::typed::GetPolicyObject;
use netmgr_lookups::{CallInputs, ErrorKind, FunctionEntry, Lookups, ResultKind, Shape, Words, similar};
use netmgr_types::{ManagerVersion, PolicyPath};
use serde_json::{Map, Value};
use terraform_switch::{DataBlock, Literals, MadeObject, SourceLine, Step, Text};

use super::{FindingKind, WrongReference};
use crate::failure::CliError;
use crate::session::{LookupSession, NoWarnings};
use crate::terraform;

/// Maximum number of lookups that run together. Those that begin together share requests.
const WINDOW: usize = 4096;

/// The collections that arguments accept objects of, by the end of their names without `_path` and `_paths`.
const WANTED: &[(&str, &[&str])] = &[
    ("transport_zone", &["transport-zones"]),
    ("edge_cluster", &["edge-clusters"]),
    ("tier0", &["tier-0s"]),
    ("tier1", &["tier-1s"]),
    ("gateway", &["tier-0s", "tier-1s", "transit-gateways"]),
    ("dhcp_config", &["dhcp-server-configs", "dhcp-relay-configs"]),
    ("ip_block", &["ip-blocks"]),
    ("ip_pool", &["ip-pools"]),
    ("site", &["sites"]),
    ("source_groups", &["groups"]),
    ("destination_groups", &["groups"]),
    ("services", &["services"]),
];

/// The findings, and how much was checked.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) findings: Vec<WrongReference>,
    /// Different policy paths.
    pub(super) paths: usize,
    /// Data sources.
    pub(super) data: usize,
}

/// Looks up everything that the configuration names. What cannot be decided is added to its list. `recorded` are the
/// collections of a recording, which shows nothing about others.
pub(super) async fn check(
    session: &LookupSession,
    reading: &mut Literals,
    recorded: Option<&BTreeSet<String>>,
    version: Option<&ManagerVersion>,
) -> Result<Checked, CliError> {
    let mut checked = Checked::default();
    paths(session, reading, recorded, &mut checked).await?;
    data_sources(session, reading, version, &mut checked).await?;
    Ok(checked)
}

/// Looks up the literal paths.
async fn paths(
    session: &LookupSession,
    reading: &mut Literals,
    recorded: Option<&BTreeSet<String>>,
    checked: &mut Checked,
) -> Result<(), CliError> {
    // The lookups of data sources decide about their own paths.
    let of_data: BTreeSet<(&str, &str)> = reading
        .data
        .iter()
        .filter(|block| {
            let entry = terraform::function(&block.kind).and_then(|spec| Lookups::entry(spec.name).ok());
            entry.is_some_and(|entry| input(entry, block).is_ok())
        })
        .filter_map(|block| Some((block.kind.as_str(), block.arguments.get("path")?.as_str()?)))
        .collect();
    let mut places: BTreeMap<String, Vec<Text>> = BTreeMap::new();
    let texts = std::mem::take(&mut reading.texts).into_iter();
    let is_of_data =
        |text: &Text| text.argument == "path" && of_data.contains(&(text.block.as_str(), text.text.as_str()));
    for text in texts.filter(|text| !is_of_data(text)) {
        match PolicyPath::parse(&text.text) {
            Ok(path) => places.entry(path.as_str().to_owned()).or_default().push(text),
            Err(reason) if text.block.is_empty() => {
                reading
                    .undecided
                    .push(undecided(&text.place, &reason.to_string()));
            }
            Err(reason) => {
                let what = format!("{:?} is not a policy path: {reason}", text.text);
                checked
                    .findings
                    .push(WrongReference::new(text.place, FindingKind::Invalid, what));
            }
        }
    }
    let lookups = places.keys().map(async |path| {
        let lookup = GetPolicyObject::at(path).on_missing("null");
        (
            path.as_str(),
            session.run_lookup(lookup, Arc::new(NoWarnings)).await,
        )
    });
    let answers: Vec<_> = stream::iter(lookups).buffer_unordered(WINDOW).collect().await;
    let (mut missing, mut existing) = (Vec::new(), Vec::new());
    for (path, answer) in answers {
        match answer {
            Ok(found) if !found.exists => missing.push(path),
            Ok(_) => existing.push(path),
            Err(failure) => match failure.lookup_kind() {
                Some(ErrorKind::NotFound) => missing.push(path),
                Some(_) if failure.is_about_one() => {
                    let reason = failure.in_one_line(&CallInputs::default(), &Words::default());
                    let steps = places[path].iter().map(|text| undecided(&text.place, &reason));
                    reading.undecided.extend(steps);
                }
                _ => return Err(failure),
            },
        }
    }
    checked.paths = existing.len() + missing.len();
    for path in missing {
        let doubt = doubt(path, &reading.made, recorded);
        let similar = similar_path(path, &existing);
        for Text { place, .. } in &places[path] {
            match doubt {
                Some(doubt) => reading.undecided.push(undecided(place, doubt)),
                None => checked.findings.push(WrongReference {
                    suggestion: similar.map_or_else(String::new, |path| format!("did you mean {path}?")),
                    ..WrongReference::new(
                        place.clone(),
                        FindingKind::Missing,
                        format!("there is no object {path}"),
                    )
                }),
            }
        }
    }
    for path in existing {
        for text in places[path].iter().filter(|text| !text.block.is_empty()) {
            let wrong = of_other_kind(path, &text.argument);
            let wrong = wrong.map(|what| WrongReference::new(text.place.clone(), FindingKind::Kind, what));
            checked.findings.extend(wrong);
        }
    }
    Ok(())
}

/// Looks up the objects of data sources.
async fn data_sources(
    session: &LookupSession,
    reading: &mut Literals,
    version: Option<&ManagerVersion>,
    checked: &mut Checked,
) -> Result<(), CliError> {
    let lookups = reading.data.iter().map(async |block| {
        match version.and_then(|version| terraform::removed(&block.kind, version)) {
            Some(what) => {
                let wrong = WrongReference::new(block.place.clone(), FindingKind::Removed, what);
                (block, Ok(Ok(Some(wrong))))
            }
            None => (block, data(session, block).await),
        }
    });
    let answers: Vec<_> = stream::iter(lookups).buffer_unordered(WINDOW).collect().await;
    for (block, answer) in answers {
        let reason = match answer? {
            Ok(Some(wrong)) if wrong.kind != FindingKind::Removed && names_new(block, &reading.made) => {
                "the configuration makes an object that it names".to_owned()
            }
            Err(reason) => reason,
            Ok(wrong) => {
                checked.data += 1;
                checked.findings.extend(wrong);
                continue;
            }
        };
        reading.undecided.push(undecided(&block.place, &reason));
    }
    Ok(())
}

/// Looks up the object of a data block. Returns what is wrong with it, or the reason why that cannot be decided.
async fn data(
    session: &LookupSession,
    block: &DataBlock,
) -> Result<Result<Option<WrongReference>, String>, CliError> {
    let name = format!("{}.{}", block.kind, block.name);
    let Some(spec) = terraform::function(&block.kind) else {
        return Ok(Err(format!("{name} is not known")));
    };
    let entry = Lookups::entry(spec.name)?;
    if spec.answer == ResultKind::State {
        return Ok(Err(format!("{name} waits")));
    }
    let input = match input(entry, block) {
        Ok(input) => input,
        Err(argument) => return Ok(Err(format!("{name} has the argument {argument}"))),
    };
    let asked = input["displayName"]
        .as_str()
        .filter(|_| input.get("id").is_none())
        .map(str::to_owned);
    let inputs = CallInputs::of(entry, &input);
    let words: Words = entry
        .describe()
        .inputs
        .into_iter()
        .map(|input| (input.name.to_string(), input.name.to_snake_case()))
        .collect();
    let failure = match session.call(entry, input, Arc::new(NoWarnings)).await {
        Ok(answer) => {
            let found = answer.output["displayName"].as_str().unwrap_or_default();
            let prefix = asked.filter(|asked| !found.is_empty() && asked != found);
            return Ok(Ok(prefix.map(|asked| {
                let what =
                    format!("{name}: no object is called {asked:?}; found {found:?}, which begins with it");
                WrongReference::new(block.place.clone(), FindingKind::Prefix, what)
            })));
        }
        Err(failure) => failure,
    };
    let (text, remedy) = failure.and_remedy(&inputs, &words);
    let text = text.strip_prefix(&format!("{}: ", spec.name)).unwrap_or(&text);
    let what = format!("{name}: {text}");
    let kind = match failure.lookup_kind() {
        Some(ErrorKind::NotFound) => FindingKind::Missing,
        Some(ErrorKind::Ambiguous) => FindingKind::Ambiguous,
        Some(ErrorKind::Unsupported) => FindingKind::Removed,
        Some(_) if failure.is_about_one() => return Ok(Err(what)),
        _ => return Err(failure),
    };
    Ok(Ok(Some(WrongReference {
        suggestion: remedy.unwrap_or_default(),
        ..WrongReference::new(block.place.clone(), kind, what)
    })))
}

/// The inputs of the function of a data block, or an argument that is none.
fn input(entry: &'static FunctionEntry, block: &DataBlock) -> Result<Value, String> {
    let inputs = entry.describe().inputs;
    let mut input = Map::new();
    for (argument, value) in &block.arguments {
        // `nsxt` ignores this argument.
        if argument == "description" && block.kind.starts_with("nsxt_") {
            continue;
        }
        let name = argument.to_lower_camel_case();
        let known = inputs.iter().find(|input| input.name == name);
        let known = known.ok_or_else(|| argument.clone())?;
        if let Some(value) = converted(value, known.shape).ok_or_else(|| argument.clone())? {
            input.insert(name, value);
        }
    }
    Ok(Value::Object(input))
}

/// A value as an input of this shape, converted as Terraform does; `None` inside if it is unset, and outside if it cannot
/// be converted.
fn converted(value: &Value, shape: Shape) -> Option<Option<Value>> {
    Some(Some(match (shape, value) {
        (_, Value::Null) => return Some(None),
        (_, Value::String(text)) if text.is_empty() => return Some(None),
        (Shape::String, Value::Bool(_) | Value::Number(_)) => value.to_string().into(),
        (Shape::Boolean, Value::String(text)) => text.parse::<bool>().ok()?.into(),
        (Shape::Integer, Value::String(text)) => text.parse::<i64>().ok()?.into(),
        (Shape::Object, Value::Object(members)) => {
            let set = members
                .iter()
                .filter(|(_, value)| !value.is_null() && value.as_str() != Some(""));
            set.map(|(name, value)| (name.to_lower_camel_case(), value.clone()))
                .collect::<Map<_, _>>()
                .into()
        }
        (Shape::String, Value::String(_)) | (Shape::Boolean, Value::Bool(_)) => value.clone(),
        (Shape::Integer | Shape::Number, Value::Number(_)) | (Shape::Strings, Value::Array(_)) => {
            value.clone()
        }
        _ => return None,
    }))
}

/// Whether a data block names an object that the configuration makes.
fn names_new(block: &DataBlock, made: &[MadeObject]) -> bool {
    let texts = block.arguments.values().filter_map(Value::as_str);
    let mut ids = texts.flat_map(|text| text.split('/')).filter(|id| !id.is_empty());
    ids.any(|id| made.iter().any(|one| one.id.as_deref() == Some(id)))
}

/// Why a path that is missing may be right.
fn doubt(path: &str, made: &[MadeObject], recorded: Option<&BTreeSet<String>>) -> Option<&'static str> {
    let path = PolicyPath::trusted(path);
    let collection = PolicyPath::trusted(path.collection()).id();
    let segments: Vec<&str> = path.segments().collect();
    let root = segments.iter().rposition(|segment| segment.ends_with("infra"));
    let is_new = |one: &MadeObject| {
        // If the id is not known, the type is.
        segments.iter().any(|segment| match &one.id {
            Some(id) => id == segment,
            None => is_collection_of(segment, &one.kind),
        })
    };
    if made.iter().any(is_new) {
        Some("the configuration makes the object")
    } else if segments.len().saturating_sub(root.map_or(0, |root| root + 1)) % 2 == 1 {
        Some("the path is not the path of an object")
    } else if path.as_str().contains(char::is_whitespace) {
        Some("the text may be prose")
    } else if recorded.is_some_and(|recorded| !recorded.contains(collection)) {
        Some("the recording has no such objects")
    } else {
        None
    }
}

/// Whether a collection contains the objects of a type of resources: `groups` contains the objects of `nsxt_policy_group`.
fn is_collection_of(collection: &str, kind: &str) -> bool {
    let kind = kind
        .replace('_', "-")
        .replace("tier0-gateway", "tier-0")
        .replace("tier1-gateway", "tier-1");
    kind.is_empty() || kind.ends_with(collection.trim_end_matches('s'))
}

/// The reason why a path does not fit its argument.
fn of_other_kind(path: &str, argument: &str) -> Option<String> {
    let argument = argument.to_snake_case();
    let stem = argument
        .strip_suffix("_path")
        .or_else(|| argument.strip_suffix("_paths"));
    let stem = stem.unwrap_or(&argument);
    let (_, collections) = WANTED.iter().find(|(name, _)| *name == stem)?;
    let path = PolicyPath::trusted(path);
    let collection = PolicyPath::trusted(path.collection()).id();
    (!collections.contains(&collection)).then(|| {
        format!(
            "{argument} requires an object in {}, but {} is in {collection}",
            collections.join(" or "),
            path.as_str()
        )
    })
}

/// The path of the same collection whose id is most similar.
fn similar_path<'a>(path: &str, existing: &[&'a str]) -> Option<&'a str> {
    let path = PolicyPath::trusted(path);
    let others = existing.iter().map(|other| PolicyPath::trusted(other));
    let siblings = others.filter(|other| other.collection() == path.collection());
    let siblings: BTreeMap<&str, &str> = siblings.map(|other| (other.id(), other.as_str())).collect();
    let ids: Vec<&str> = siblings.keys().copied().collect();
    similar(path.id(), &ids).first().map(|id| siblings[id])
}

fn undecided(place: &SourceLine, why: &str) -> Step {
    Step {
        place: place.file.clone(),
        line: Some(place.line),
        what: why.to_owned(),
    }
}
