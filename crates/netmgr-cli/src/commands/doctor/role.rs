//! The check of the permissions of the account's role.
//!
//! They are determined by running the functions, so that this module contains none of their paths.

use std::cell::Cell;

use futures_util::StreamExt as _;
use futures_util::future::ready;
use futures_util::stream;
use netmgr_lookups::{
    ALL, Call, ErrorKind, FunctionEntry, FunctionGroup, ListOptions, Lookups, Property, ResultKind,
};
use netmgr_transport::Client;
use netmgr_types::Deployment;
use serde_json::{Map, Value, json};

use super::pace::RequestPace;
use super::report::{DoctorCheck, Finding};
use crate::exit::Exit;
use crate::flags::command_name;

/// An id that no object has.
const NO_ID: &str = "netmgr-doctor-no-such-object";

/// Number of concurrent lookups.
const PARALLEL: usize = 8;

/// The result of reading objects of one kind.
enum Readable {
    Yes,
    /// The object, which does not exist, or its path.
    NotFound,
    Denied,
    /// This manager does not have the objects.
    Absent,
    Failed(netmgr_lookups::Error),
}

/// The check of the permissions of the account's role, and whether the manager refused a session.
pub(super) async fn check(client: &Client, pace: &RequestPace) -> (Finding, bool) {
    let lookups = Lookups::new(client.clone());
    let call = Call::default();
    let deployment = client.connection().deployment;
    let probes = ALL
        .iter()
        .filter_map(|entry| Some((entry, input(entry, deployment)?)));
    // Each further request would log in again, or wait like those before it.
    let (is_refused, late) = (Cell::new(false), Cell::new(0));
    let mut results: Vec<(String, Readable)> = stream::iter(probes)
        .take_while(|_| ready(!is_refused.get() && late.get() < PARALLEL))
        .map(|(entry, input)| {
            let (lookups, call, is_refused, late) = (&lookups, &call, &is_refused, &late);
            async move {
                let name = command_name(entry.spec.name);
                pace.wait(&name).await;
                let outcome = match entry.is_listed() {
                    true => first(lookups, entry, input, call).await,
                    false => lookups
                        .call_entry(entry, Value::Object(input), call.clone())
                        .await
                        .map(drop),
                };
                match outcome.as_ref().err().map(netmgr_lookups::Error::kind) {
                    Some(ErrorKind::Unauthenticated) => is_refused.set(true),
                    Some(ErrorKind::DeadlineExceeded) => late.set(late.get() + 1),
                    _ => {}
                }
                (name, readable(outcome))
            }
        })
        .buffered(PARALLEL)
        .collect()
        .await;
    // If nothing can be read, a path that is not found does not exist on the server.
    let reads = results.iter().any(|(_, result)| matches!(result, Readable::Yes));
    for (_, result) in &mut results {
        if matches!(result, Readable::NotFound) {
            *result = if reads { Readable::Yes } else { Readable::Absent };
        }
    }
    let names = |wanted: fn(&Readable) -> bool| -> Vec<&str> {
        let found = results.iter().filter(|(_, result)| wanted(result));
        found.map(|(name, _)| name.as_str()).collect()
    };
    let read = names(|result| matches!(result, Readable::Yes));
    let denied = names(|result| matches!(result, Readable::Denied));
    let absent = names(|result| matches!(result, Readable::Absent));
    let failed = names(|result| matches!(result, Readable::Failed(_)));
    let first = results.iter().find_map(|(name, result)| match result {
        Readable::Failed(error) => Some((name, error)),
        _ => None,
    });
    let tried = read.len() + denied.len() + failed.len();
    let ask = "grant the account a role with read access, such as auditor";
    let finding = if read.is_empty() && !denied.is_empty() {
        Finding::fail(
            DoctorCheck::Role,
            "cannot read any object types",
            ask,
            Exit::PermissionDenied,
        )
    } else if is_refused.get() {
        Finding::fail(
            DoctorCheck::Role,
            "the manager refuses new sessions",
            "if a load balancer is in front of the manager, let it keep each client on one node",
            Exit::Unauthenticated,
        )
    } else if first.is_some() {
        Finding::warn(
            DoctorCheck::Role,
            format!(
                "{} of {tried} object types cannot be read",
                failed.len() + denied.len()
            ),
            "run the command again; `netmgr -v get <function>` shows the requests for one type",
        )
    } else if tried == 0 {
        Finding::fail(
            DoctorCheck::Role,
            "this server has no objects of a manager",
            "check the path prefix in host, and that host is a manager",
            Exit::Unsupported,
        )
    } else if denied.is_empty() {
        Finding::ok(
            DoctorCheck::Role,
            format!("can read all {tried} object types of this manager"),
        )
    } else {
        let summary = format!("can read {} of {tried} object types", read.len());
        Finding::warn(DoctorCheck::Role, summary, ask)
    };
    let mut finding = finding
        .detail("readable", json!(read))
        .detail("denied", json!(denied))
        .detail("absent", json!(absent))
        .detail("failed", json!(failed));
    if !denied.is_empty() {
        finding = finding.note(format!("not permitted: {}", some_of(&denied)));
    }
    if let Some((name, error)) = first {
        let cause = std::error::Error::source(error).map_or_else(String::new, |cause| format!(": {cause}"));
        finding = finding.note(format!("{name}: {error}{cause}"));
    }
    let finding = match absent.is_empty() {
        true => finding,
        false => finding.note(format!("not on this manager: {}", some_of(&absent))),
    };
    (finding, is_refused.get())
}

/// The first names, and how many more there are.
fn some_of(names: &[&str]) -> String {
    const SHOWN: usize = 6;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Reads the first object of a collection. The answer to an id of no object would be the same for a path that does not
/// exist.
async fn first(
    lookups: &Lookups,
    entry: &FunctionEntry,
    mut input: Map<String, Value>,
    call: &Call,
) -> Result<(), netmgr_lookups::Error> {
    let inputs = entry.list_inputs();
    input.retain(|name, _| inputs.contains(name));
    let mut one = ListOptions::default();
    one.limit = Some(1);
    lookups
        .list(entry.spec.name, input, one, call)?
        .next()
        .await
        .map(drop)
}

/// Input of a function that finds one object by id: the required inputs, the path of a parent, without which some functions
/// find nothing, and an id that no object has. Objects of any type are those of the other functions.
fn input(entry: &FunctionEntry, deployment: Deployment) -> Option<Map<String, Value>> {
    if entry.spec.answer != ResultKind::Object || entry.group == FunctionGroup::AnyObject {
        return None;
    }
    let function = entry.describe();
    let mut input = function.example.as_object()?.clone();
    input.retain(|name, _| name.ends_with("Path") || required(&function.inputs, name));
    let has = |name: &str| function.inputs.iter().any(|property| property.name == name);
    // Examples are those of a policy manager.
    if deployment == Deployment::GlobalManager {
        for value in input.values_mut() {
            if let Some(below) = value.as_str().and_then(|path| path.strip_prefix("/infra/")) {
                *value = format!("/global-infra/{below}").into();
            }
        }
        if has("sitePath") {
            input
                .entry("sitePath")
                .or_insert("/global-infra/sites/default".into());
        }
    }
    if has("id") {
        input.insert("id".to_owned(), json!(NO_ID));
    }
    (!input.is_empty()).then_some(input)
}

fn required(properties: &[Property], name: &str) -> bool {
    properties
        .iter()
        .any(|property| property.name == name && property.required)
}

fn readable(outcome: Result<(), netmgr_lookups::Error>) -> Readable {
    let Err(error) = outcome else {
        return Readable::Yes;
    };
    match error.kind() {
        ErrorKind::NotFound => Readable::NotFound,
        ErrorKind::Ambiguous => Readable::Yes,
        ErrorKind::PermissionDenied => Readable::Denied,
        ErrorKind::Unsupported => Readable::Absent,
        _ => Readable::Failed(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_find_an_object_have_an_input() {
        let with_input = ALL
            .iter()
            .filter(|entry| input(entry, Deployment::PolicyManager).is_some())
            .count();
        let objects = ALL.iter().filter(|entry| entry.spec.answer == ResultKind::Object);
        let objects = objects.filter(|entry| entry.group != FunctionGroup::AnyObject);
        assert_eq!(with_input, objects.count());
    }
}
