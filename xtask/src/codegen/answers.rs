//! What the examples of the functions find on simulated managers.

use netmgr_lookups::{Call, Lookups, Waits};
use netmgr_sim::{Inventory, Manager, ManagerKind, ManagerSettings, Simulator};
use netmgr_transport::Client;
use netmgr_types::ProviderConfig;
use serde_json::Value;

use super::package::Function;
use crate::Error;

/// The only function whose answer changes from run to run: it contains the address of the connection.
const CHANGES: &str = "getManagementCluster";

/// The answer of each example as indented JSON, empty if it changes from run to run.
pub(super) fn answers(functions: &[Function]) -> Result<Vec<String>, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let local = SimulatedManager::start(ManagerKind::Local).await?;
        let global = SimulatedManager::start(ManagerKind::Global).await?;
        let mut answers = Vec::with_capacity(functions.len());
        for function in functions {
            let entry = Lookups::entry(&function.token)?;
            let answer = match &entry.describe().available_on {
                _ if entry.spec.name == CHANGES => String::new(),
                Some(kinds) if kinds.iter().all(|kind| *kind == "global manager") => {
                    global.answer(function).await?
                }
                _ => local.answer(function).await?,
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

    async fn answer(&self, function: &Function) -> Result<String, Error> {
        let input = Value::Object(function.example.inputs.clone());
        // Everything is realized already.
        let call = Call::default().waits(Waits::ReportOnce);
        let answer = self.lookups.invoke(&function.token, input, &call).await?;
        Ok(serde_json::to_string_pretty(&answer)?)
    }
}
