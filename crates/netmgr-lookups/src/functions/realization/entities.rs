//! Realized entities of policy objects.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use netmgr_transport::{Get, Reply};
use netmgr_types::shapes::given;
use netmgr_types::wire::{ManagedObject, StatusError};
use netmgr_types::{Deployment, InvalidProperty, PolicyPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Latest, keep, seconds, taken, wait};
use crate::contract::context::LookupContext;
use crate::contract::error::{Candidate, Error};
use crate::finding::object_kind::ObjectKind;
use crate::finding::tree::Tree;
use crate::wait::{RealizationStage, RealizationState, Wait};
use crate::wording::reasons::Reasons;

/// The realized entities of an object, as the manager sends them.
#[derive(Debug, Deserialize)]
struct Entities {
    results: Vec<Value>,
}

/// Realized entities of all objects, which the search finds.
pub(crate) const ENTITY: ObjectKind =
    ObjectKind::anywhere("realized entity", "GenericPolicyRealizedResource");

/// An attribute of a realized entity.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ExtendedAttribute {
    key: String,
    values: Vec<String>,
}

/// An alarm of a realized entity.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Alarm {
    message: Option<String>,
    error_details: Option<AlarmDetails>,
}

/// The cause of an alarm.
#[derive(Debug, Default, Deserialize)]
struct AlarmDetails {
    #[serde(flatten)]
    error: StatusError,
    #[serde(default)]
    related_errors: Vec<StatusError>,
}

/// The values of an attribute of a realized entity.
fn values(entity: &ManagedObject, key: &str) -> Vec<String> {
    let attributes = entity.list("extended_attributes").into_iter();
    let mut of_key = attributes.filter(|attribute: &ExtendedAttribute| attribute.key == key);
    of_key.next().unwrap_or_default().values
}

/// The entities that count for a wait, or those that match although only one is wanted.
type Chosen = Result<Vec<ManagedObject>, Vec<ManagedObject>>;

/// Meaning of the state of an entity for a wait.
fn stage(entity: &ManagedObject) -> RealizationStage {
    match entity.text("state").unwrap_or("UNKNOWN") {
        "UNKNOWN" | "UNREALIZED" => RealizationStage::Pending,
        "REALIZED" => RealizationStage::Done,
        "ERROR" => RealizationStage::Reported,
        _ => RealizationStage::Failed,
    }
}

/// The reasons why entities are not realized, as far as the manager gives them.
fn reasons<'a>(entities: impl Iterator<Item = &'a ManagedObject>) -> Option<String> {
    let mut reasons = Reasons::default();
    for entity in entities {
        reasons = reasons
            .whole(entity.text("runtime_error"), None)
            .whole(
                entity.text("publish_status_error"),
                entity.number("publish_status_error_code"),
            )
            .errors(&entity.list::<StatusError>("publish_status_error_details"));
        for alarm in entity.list::<Alarm>("alarms") {
            reasons = reasons
                .whole(alarm.message.as_deref(), None)
                .errors(alarm.error_details.iter().map(|details| &details.error))
                .errors(
                    alarm
                        .error_details
                        .iter()
                        .flat_map(|details| &details.related_errors),
                );
        }
    }
    reasons.text()
}

/// Waits until the first entity of the object at `path` that `choose` selects is realized, or any of them has an error.
/// Returns the state and the entity that has it.
async fn realized_entity(
    cx: &LookupContext<'_>,
    path: &str,
    site: &Option<String>,
    (delay, timeout): (Duration, Duration),
    choose: impl Fn(Vec<ManagedObject>) -> Chosen + Send + Sync + 'static,
) -> Result<(String, ManagedObject), Error> {
    let path = PolicyPath::trusted(path).as_str();
    let tree = Tree::around(path, cx.scope.deployment).unwrap_or(Tree::Local);
    let base = format!("{}/realized-state/realized-entities", tree.base());
    let mut get = Get::new(tree.root())
        .policy_path(&base)
        .query("intent_path", path);
    if let Some(site) = given(site).filter(|_| cx.scope.deployment == Deployment::GlobalManager) {
        get = get.query("site_path", site);
    }
    let latest: Latest<Chosen> = Latest::default();
    let kept = Arc::clone(&latest);
    let read = move |reply: &Reply| {
        let entities: Entities = reply.json()?;
        // A malformed entity does not hide the others.
        let rows = entities.results.into_iter();
        let entities: Vec<ManagedObject> = rows.filter_map(|row| serde_json::from_value(row).ok()).collect();
        let types: BTreeSet<String> = entities
            .iter()
            .map(|entity| text(entity, "entity_type"))
            .collect();
        let mut chosen = choose(entities);
        // Without an error, the state of the first entity is that of the object.
        let state = chosen.as_mut().ok().map(|chosen| {
            chosen.sort_by_key(|entity| stage(entity) <= RealizationStage::Pending);
            let Some(first) = chosen.first() else {
                let types: Vec<String> = types.into_iter().collect();
                let (verdict, reason) = match types.is_empty() {
                    true => (RealizationStage::Absent, None),
                    false => (
                        RealizationStage::Unselected,
                        Some(format!(
                            "no realized entity matches the inputs; their types are {}",
                            types.join(", ")
                        )),
                    ),
                };
                return RealizationState::new("UNKNOWN", verdict).because(reason);
            };
            let unrealized = chosen
                .iter()
                .filter(|entity| stage(entity) != RealizationStage::Done);
            RealizationState::new(first.text("state").unwrap_or("UNKNOWN"), stage(first))
                .because(reasons(unrealized))
        });
        keep(&kept, chosen);
        // Several entities, of which one is wanted, end the wait.
        Ok(state.unwrap_or_else(|| RealizationState::new("", RealizationStage::Done)))
    };
    let what = format!("policy object {}", cx.sanitized(path));
    let realization = Wait {
        intent: Some(path.to_owned()),
        ..Wait::new(what, get, read, delay, timeout)
    };
    let state = wait(cx, realization).await?;
    match taken(&latest) {
        Some(Err(several)) => {
            let mut found: Vec<Candidate> = several.iter().map(Candidate::of).collect();
            found.sort();
            let what = format!("several realized entities of {path} match");
            Err(cx.ambiguous(what, found, several.len(), None, None))
        }
        chosen => {
            let chosen = chosen.and_then(Result::ok).unwrap_or_default();
            Ok((state.name, chosen.into_iter().next().unwrap_or_default()))
        }
    }
}

/// A string of an entity; empty if it has none.
fn text(entity: &ManagedObject, name: &str) -> String {
    entity.text(name).unwrap_or_default().to_owned()
}

/// Output of `getPolicyRealizationInfo`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyRealizationInfo {
    /// Type of the realized entity; empty if there is none yet.
    pub entity_type: String,
    /// Id of the realized entity; empty if there is none yet.
    pub id: String,
    /// Identifier of the realization; empty if there is none.
    pub realized_id: String,
    /// State: `REALIZED` or `ERROR`. A preview may also return a state that is not final.
    pub state: String,
}

pub(crate) async fn realization_info(
    cx: &LookupContext<'_>,
    path: &str,
    entity_type: &Option<String>,
    site: &Option<String>,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<PolicyRealizationInfo, Error> {
    let wanted = given(entity_type).map(str::to_owned);
    let choose = move |entities: Vec<ManagedObject>| {
        let is_wanted = |entity: &ManagedObject| {
            let own = entity.text("entity_type").unwrap_or_default();
            wanted
                .as_ref()
                .is_none_or(|wanted| own.eq_ignore_ascii_case(wanted))
        };
        Ok(entities.into_iter().filter(is_wanted).collect())
    };
    let schedule = (seconds(delay, 1), seconds(timeout, 1200));
    let (state, entity) = realized_entity(cx, path, site, schedule, choose).await?;
    Ok(PolicyRealizationInfo {
        entity_type: text(&entity, "entity_type"),
        id: entity.id().to_owned(),
        realized_id: text(&entity, "realization_specific_identifier"),
        state,
    })
}

/// Output of `getPolicyGatewayInterfaceRealization`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyGatewayInterfaceRealization {
    /// Id of the realized entity; empty if there is none yet.
    pub id: String,
    /// IP addresses.
    pub ip_address: Vec<String>,
    /// MAC address; empty if unknown.
    pub mac_address: String,
    /// State: `REALIZED` or `ERROR`. A preview may also return a state that is not final.
    pub state: String,
}

#[expect(clippy::too_many_arguments, reason = "they are the inputs of the function")]
pub(crate) async fn interface(
    cx: &LookupContext<'_>,
    path: &Option<String>,
    older_path: &Option<String>,
    id: &Option<String>,
    name: &Option<String>,
    site: &Option<String>,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<PolicyGatewayInterfaceRealization, Error> {
    let path = match (given(path), given(older_path)) {
        (Some(path), None) | (None, Some(path)) => path,
        (first, _) => {
            let reason = match first {
                Some(_) => "cannot be combined with `gatewayPath`",
                None => "is required unless `gatewayPath` is set",
            };
            return Err(cx.invalid(vec![InvalidProperty::new("gatewayInterfacePath", reason)]));
        }
    };
    let (id, name) = (given(id).map(str::to_owned), given(name).map(str::to_owned));
    let choose = move |entities: Vec<ManagedObject>| {
        let find = |is_wanted: &dyn Fn(&&ManagedObject) -> bool| -> Vec<ManagedObject> {
            entities.iter().filter(is_wanted).cloned().collect()
        };
        let first = |found: Vec<ManagedObject>| Ok(found.into_iter().take(1).collect());
        match (&id, &name) {
            (Some(id), _) => first(find(&|entity| entity.id() == id)),
            (None, Some(name)) => {
                let called = match find(&|entity| entity.name() == name) {
                    called if !called.is_empty() => called,
                    _ => find(&|entity| entity.name().contains(name)),
                };
                if called.len() > 1 { Err(called) } else { Ok(called) }
            }
            (None, None) => match find(&|entity| !values(entity, "IpAddresses").is_empty()) {
                addressed if !addressed.is_empty() => first(addressed),
                _ => first(entities),
            },
        }
    };
    let schedule = (seconds(delay, 5), seconds(timeout, 600));
    let (state, entity) = realized_entity(cx, path, site, schedule, choose).await?;
    Ok(PolicyGatewayInterfaceRealization {
        ip_address: values(&entity, "IpAddresses"),
        mac_address: values(&entity, "MacAddress")
            .into_iter()
            .next()
            .unwrap_or_default(),
        id: entity.id().to_owned(),
        state,
    })
}
