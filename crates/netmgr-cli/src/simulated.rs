//! A simulated manager inside this process, for `--simulate`.
//!
//! The simulator is in `netmgr-sim`; `commands/simulate.rs` serves it to other processes.

use std::slice;

use heck::ToKebabCase as _;
use netmgr_sim::{
    DEFAULT_PASSWORD, DEFAULT_USERNAME, Inventory, Manager, ManagerKind, ManagerSettings, ServerCertificate,
    Simulator,
};
use netmgr_types::ProviderConfig;
use serde_json::{Map, Value, json};

use crate::failure::CliError;
use crate::inventory::inventory;
use crate::options::ConnectionOptions;
use crate::origins::Origins;

/// A simulated manager inside this process, reached over TLS like a real one.
pub(crate) struct InProcessManager(Simulator<Manager>);

impl InProcessManager {
    /// Starts a simulated manager, which is a global manager if the settings require one.
    pub(crate) async fn start(options: &ConnectionOptions) -> Result<Self, CliError> {
        let inventory = match &options.recording {
            Some(file) => inventory(slice::from_ref(file), None, 0)?,
            None => Inventory::default(),
        };
        let mut settings = inventory.settings(ManagerSettings::default());
        if options.settings.get("globalManager") == Some(&Value::Bool(true)) {
            settings.kind = ManagerKind::Global;
        }
        let manager = Manager::new(settings, inventory);
        let builder = Simulator::serving(manager).tls(ServerCertificate::Valid);
        Ok(Self(builder.start().await?))
    }

    /// The configuration of a client of it, with the settings of `options`.
    pub(crate) fn config(&self, options: &ConnectionOptions) -> Result<ProviderConfig, CliError> {
        let settings = [
            ("host", json!(self.0.host())),
            ("username", json!(DEFAULT_USERNAME)),
            ("password", json!(DEFAULT_PASSWORD)),
            ("ca", json!(self.0.ca_pem())),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value));
        config_of(settings.into_iter().collect(), options)
    }
}

/// The configuration of a client of a manager with these settings. Flags can change requests but not the address.
fn config_of(
    mut manager: Map<String, Value>,
    options: &ConnectionOptions,
) -> Result<ProviderConfig, CliError> {
    let elsewhere = manager
        .keys()
        .find(|name| options.settings.contains_key(*name))
        .map(|name| name.to_kebab_case());
    let given = [
        ("config", options.config.is_some()),
        ("profile", options.profile.is_some()),
        ("password-file", options.password_file.is_some()),
        ("password-stdin", options.password_stdin),
    ];
    let given = given
        .iter()
        .find(|(_, is_given)| *is_given)
        .map(|(flag, _)| (*flag).to_owned());
    if let Some(flag) = elsewhere.or(given) {
        return Err(CliError::usage(
            format!("--{flag} has no effect with --simulate"),
            "remove one of the two",
        ));
    }
    manager.extend(options.settings.clone());
    let config = ProviderConfig::from_json(Value::Object(manager));
    config.map_err(|errors| CliError::Configuration(errors).of_settings(&Origins::new()))
}
