//! Dispatch of lookup functions, and the checks before any request.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use netmgr_transport::Client;
use netmgr_types::{InvalidProperty, similar};
use serde_json::{Map, Value};
use tokio::task::unconstrained;
use tokio::time::Instant;
use tracing::{Instrument as _, debug_span};

use crate::contract::answer::Answer;
use crate::contract::call::Call;
use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::function::{Invocation, Lookup};
use crate::contract::registry::FunctionEntry;
use crate::contract::spec::{Availability, LookupSpec, a_deployment};
use crate::contract::stats::Stats;
use crate::fetch::Batcher;
use crate::finding::listing::{ListOptions, Listing, NO_COLLECTION};
use crate::finding::object_types;
use crate::finding::read::Scope;
use crate::functions::ALL;
use crate::wording::type_names::{COLLECTIONS, TypeNames, type_named};

/// All functions, by the words for them.
static FUNCTIONS: LazyLock<TypeNames> = LazyLock::new(|| TypeNames::of(ALL.iter()));

/// The lookup functions of a manager. Clones share the client and its requests.
#[derive(Clone)]
pub struct Lookups {
    client: Client,
    pub(crate) batcher: Arc<Batcher>,
    scope: Arc<Scope>,
}

impl Lookups {
    /// Creates the functions of the manager of `client`. Sends nothing.
    #[must_use]
    pub fn new(client: Client) -> Self {
        let connection = client.connection();
        let scope = Scope {
            deployment: connection.deployment,
            enforcement_point: connection.enforcement_point.clone(),
            host: connection.host.clone(),
            tolerate_partial_success: connection.tolerate_partial_success,
        };
        Self {
            batcher: Batcher::new(client.clone()),
            client,
            scope: Arc::new(scope),
        }
    }

    /// The client that the functions use.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Counters of the lookups so far, including the lookups of all clones.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.batcher.counters.read(self.client.traffic())
    }

    /// The function with this name (`getIpPool`) or token (`netmgr:index/getIpPool:getIpPool`).
    ///
    /// # Errors
    ///
    /// [`Error::UnknownFunction`].
    pub fn entry(name: &str) -> Result<&'static FunctionEntry, Error> {
        ALL.iter()
            .find(|entry| entry.spec.name == name || entry.spec.token() == name)
            .ok_or_else(|| {
                let names: Vec<&str> = ALL.iter().map(|entry| entry.spec.name).collect();
                Error::UnknownFunction {
                    name: name.to_owned(),
                    similar: similar(name, &names).into_iter().map(str::to_owned).collect(),
                }
            })
    }

    /// The function that a word means: a spelling of its name, its plural, a short word, or the type of its objects.
    #[must_use]
    pub fn function_named(word: &str) -> Option<&'static FunctionEntry> {
        FUNCTIONS.find(word)
    }

    /// The function with a collection that a word means.
    #[must_use]
    pub fn collection_named(word: &str) -> Option<&'static FunctionEntry> {
        COLLECTIONS.find(word)
    }

    /// Calls a function by name or token, with JSON values.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub async fn invoke(&self, name: &str, input: Value, call: &Call) -> Result<Value, Error> {
        let answer = self.call_entry(Self::entry(name)?, input, call.clone());
        Ok(answer.await?.output)
    }

    /// Calls a function with JSON values.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub async fn call_entry(
        &self,
        entry: &'static FunctionEntry,
        input: Value,
        call: Call,
    ) -> Result<Answer, Error> {
        self.answer(&entry.spec, &call, |scope| (entry.decode)(input, scope))
            .await
    }

    /// Runs a lookup.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub async fn run<L: Lookup>(&self, lookup: L, call: &Call) -> Result<L::Output, Error> {
        let answer = self.answer(const { &L::SPEC }, call, |scope| lookup.invocation(scope));
        Ok(answer.await?.output)
    }

    /// Runs the invocation that `decode` returns, until the call is cancelled.
    async fn answer<O: 'static>(
        &self,
        spec: &'static LookupSpec,
        call: &Call,
        decode: impl FnOnce(&Scope) -> Result<Invocation<O>, Vec<InvalidProperty>>,
    ) -> Result<Answer<O>, Error> {
        let cx = self.context(spec, call)?;
        let work = async {
            let invocation = decode(cx.scope).map_err(|problems| cx.invalid(problems))?;
            invocation.run(&cx).await
        };
        let work = async {
            tokio::select! {
                biased;
                () = call.cancel.cancelled() => Err(Error::Cancelled { function: spec.name }),
                answer = work => answer,
            }
        };
        let work = work.instrument(debug_span!("lookup", number = cx.number, function = spec.name));
        // Many lookups of one task would exhaust its budget before all of them wait, and would share fewer requests. Long
        // operations yield on their own.
        unconstrained(work).await
    }

    /// Lists the objects of the collection of `function`. `input` has the inputs of [`FunctionEntry::list_inputs`].
    ///
    /// # Errors
    ///
    /// [`Error::UnknownFunction`]; [`Error::InvalidInput`] if the function has no collection;
    /// [`Error::Unsupported`] on this kind of manager.
    pub fn list<'a>(
        &'a self,
        function: &str,
        input: Map<String, Value>,
        options: ListOptions,
        call: &'a Call,
    ) -> Result<Listing<'a>, Error> {
        let entry = Self::entry(function)?;
        if !entry.is_listed() {
            return Err(Error::InvalidInput {
                function: entry.spec.name,
                problems: vec![InvalidProperty::new("", NO_COLLECTION)],
            });
        }
        let cx = self.context(&entry.spec, call)?;
        Listing::new(entry, input, cx, options)
    }

    /// The names of the types that functions for any object accept, sorted.
    #[must_use]
    pub fn object_types() -> Vec<String> {
        object_types::names().map(str::to_owned).collect()
    }

    /// The [type of policy objects](Self::object_types) that a word means.
    ///
    /// # Errors
    ///
    /// The similar ones.
    pub fn object_type(word: &str) -> Result<String, Vec<String>> {
        type_named(word, &Self::object_types())
    }

    /// The context of a call.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] if the function does not exist on this kind of manager, before any request.
    fn context<'a>(&'a self, spec: &'static LookupSpec, call: &'a Call) -> Result<LookupContext<'a>, Error> {
        check_deployment(spec, &self.scope)?;
        let deadline = call.deadline.unwrap_or_else(|| self.client.lookup_deadline());
        // Limit deadlines to a year, because adding a longer duration could overflow the clock.
        let deadline = deadline.min(Duration::from_secs(365 * 24 * 3600));
        let is_here = |name: &&&str| {
            let entry = Self::entry(name);
            entry.is_ok_and(|entry| entry.spec.availability.includes(self.scope.deployment))
        };
        let successors = spec.successors.iter().filter(is_here);
        Ok(LookupContext {
            spec,
            client: &self.client,
            batcher: &self.batcher,
            scope: &self.scope,
            call,
            deadline: Instant::now() + deadline,
            number: self.batcher.counters.lookup(),
            has_waited: AtomicBool::new(false),
            successors: successors.copied().collect(),
        })
    }
}

/// Rejects a function that does not exist on this kind of manager.
fn check_deployment(spec: &LookupSpec, scope: &Scope) -> Result<(), Error> {
    let Availability::Only(deployments) = spec.availability else {
        return Ok(());
    };
    if deployments.contains(&scope.deployment) {
        return Ok(());
    }
    let available: Vec<&str> = deployments.iter().map(|one| a_deployment(*one)).collect();
    let reason = format!(
        "it is {}, but the function is only available on {}",
        a_deployment(scope.deployment),
        available.join(" or ")
    );
    Err(Error::Unsupported {
        function: spec.name,
        reason,
        source: None,
    })
}
