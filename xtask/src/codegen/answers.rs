//! What the examples of the functions find on simulated managers.

use std::collections::BTreeMap;

use netmgr_lookups::{ALL, Call, Lookups, Waits};
use netmgr_sim::{Inventory, Manager, ManagerKind, ManagerSettings, Simulator};
use netmgr_transport::Client;
use netmgr_types::ProviderConfig;
use serde_json::Value;

use super::package::Example;
use crate::Error;

/// The only function whose answer changes from run to run: it contains the address of the connection.
const CHANGES: &str = "getManagementCluster";

/// The answer to the example of each function as indented JSON, empty if it changes from run to run.
pub(super) fn answers(examples: &BTreeMap<String, Example>) -> Result<Vec<String>, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let local = SimulatedManager::start(ManagerKind::Local).await?;
        let global = SimulatedManager::start(ManagerKind::Global).await?;
        let mut answers = Vec::with_capacity(ALL.len());
        for entry in ALL.iter() {
            let function = entry.describe();
            let token = &function.token;
            let example = &examples[token];
            let answer = match &function.available_on {
                _ if entry.spec.name == CHANGES => String::new(),
                Some(kinds) if kinds.iter().all(|kind| *kind == "global manager") => {
                    global.answer(token, example).await?
                }
                _ => local.answer(token, example).await?,
            };
            answers.push(answer);
        }
        Ok(answers)
    })
}

/// A simulated manager with the demo inventory.
struct SimulatedManager {
    lookups: Lookups,
    // Ends when it is dropped.
    _simulator: Simulator,
}

impl SimulatedManager {
    async fn start(kind: ManagerKind) -> Result<Self, Error> {
        let settings = ManagerSettings {
            kind,
            ..ManagerSettings::default()
        };
        let simulator = Simulator::serving(Manager::new(settings, Inventory::default()))
            .start()
            .await?;
        let mut config = ProviderConfig::new(simulator.url())
            .username(netmgr_sim::DEFAULT_USERNAME)
            .password(netmgr_sim::DEFAULT_PASSWORD)
            .session_auth(false);
        config.global_manager = Some(kind == ManagerKind::Global);
        Ok(Self {
            lookups: Lookups::new(Client::builder(config.resolve()?).build()?),
            _simulator: simulator,
        })
    }

    async fn answer(&self, token: &str, example: &Example) -> Result<String, Error> {
        let input = Value::Object(example.inputs.clone());
        // Everything is realized already.
        let call = Call::default().waits(Waits::ReportOnce);
        let answer = self.lookups.invoke(token, input, &call).await?;
        Ok(serde_json::to_string_pretty(&answer)?)
    }
}
