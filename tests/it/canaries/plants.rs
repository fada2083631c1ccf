//! Plants canaries in every setting that the types mark as secret, once accepted and once rejected by a manager.

use netmgr_sim::{ClientCertificates, Simulator, User};
use netmgr_types::ProviderConfig;
use schemars::schema_for;
use serde_json::{Map, Value, json};

use super::find;
use crate::engine::support::serve;

/// Special characters of every encoding.
const TEXT: &str = "Canary \"7193\"&<%41>+/é\\";
const USER: &str = "jane";
/// A licence key consists of five groups.
const LICENCE: &str = "CANAR-Y7193-BBBBB-CCCCC-DDDDD";

/// A configuration with one canary.
pub(super) struct Plant {
    /// The setting that contains it.
    pub(super) setting: String,
    /// Whether the manager accepts it.
    pub(super) accepted: bool,
    /// Settings without those that connect to the manager.
    pub(super) settings: Map<String, Value>,
    /// The texts to search for.
    pub(super) secrets: Vec<String>,
}

/// A manager that accepts the canaries.
pub(super) async fn manager() -> Simulator {
    let builder = Simulator::builder()
        .user(User::local(USER, text_of("password")))
        .cloud_api_token(text_of("cloudToken"))
        .cloud_app("app-1", text_of("cloudClientSecret"))
        .client_certificates(ClientCertificates::Optional)
        .principal_identity("reader");
    serve(builder).await
}

/// The canary of a setting.
pub(super) fn text_of(setting: &str) -> String {
    format!("{TEXT}{setting}")
}

/// Two plants for each secret setting.
pub(super) fn plants(manager: &Simulator) -> Vec<Plant> {
    let schema = schema_for!(ProviderConfig).to_value();
    let settings = schema["properties"].as_object().unwrap();
    let secret = settings.iter().filter(|(_, schema)| schema["x-secret"] == true);
    let plants: Vec<Plant> = secret
        .flat_map(|(name, schema)| [true, false].map(|accepted| plant(manager, name, schema, accepted)))
        .collect();
    assert_eq!(plants.len(), 2 * ProviderConfig::SECRET.len());
    plants
}

fn plant(manager: &Simulator, setting: &str, schema: &Value, accepted: bool) -> Plant {
    let wrong = if accepted { "" } else { "wrong" };
    let text = format!("{}{wrong}", text_of(setting));
    let login = || json!({ "username": USER, "password": text_of("password") });
    let is_list = schema["items"].is_object();
    let (settings, secrets) = match setting {
        "password" => (json!({ "username": USER, "password": text }), vec![text]),
        "clientAuthKey" => {
            let identity = manager.client_identity("reader").unwrap();
            let key = match accepted {
                true => identity.key_pem.clone(),
                // Random text in a block of a key.
                false => format!("-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n"),
            };
            let lines = key.lines().filter(|line| !line.starts_with("-----"));
            let lines = lines.map(str::to_owned).collect();
            (
                json!({ "clientAuthCert": identity.certificate_pem, "clientAuthKey": key }),
                lines,
            )
        }
        "cloudToken" => (json!({ "cloudToken": text }), vec![text]),
        "cloudClientSecret" => (
            json!({ "cloudClientId": "app-1", "cloudClientSecret": text }),
            vec![text],
        ),
        // Any other setting is added to a login.
        _ if is_list => {
            let keys = [format!("{LICENCE}{wrong}")];
            let mut settings = login();
            settings[setting] = json!(keys);
            let secrets = [keys.to_vec(), vec![text_of("password")]].concat();
            (settings, secrets)
        }
        _ => {
            let mut settings = login();
            settings[setting] = json!(text);
            (settings, vec![text, text_of("password")])
        }
    };
    let Value::Object(mut settings) = settings else {
        panic!("settings are an object")
    };
    settings.insert("maxRetries".to_owned(), json!(1));
    if setting.starts_with("cloud") {
        settings.insert("cloudAuthHost".to_owned(), json!(manager.host()));
    }
    Plant {
        setting: setting.to_owned(),
        accepted,
        settings,
        secrets,
    }
}

impl Plant {
    /// As environment variables, with those that connect to the manager.
    pub(super) fn environment(&self, manager: &Simulator) -> Vec<(&'static str, String)> {
        let to_manager = manager.env().into_iter();
        let to_manager = to_manager.filter(|(name, _)| ["NETMGR_HOST", "NETMGR_CA"].contains(name));
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Array(texts) => texts[0].as_str().unwrap().to_owned(),
            other => other.to_string(),
        };
        let own = self.settings.iter().map(|(setting, value)| {
            let pairs = ProviderConfig::ENV.iter();
            let (_, variable) = pairs.clone().find(|(name, _)| name == setting).unwrap();
            (*variable, text(value))
        });
        to_manager.chain(own).collect()
    }

    /// The settings with those that connect to the manager.
    pub(super) fn whole(&self, manager: &Simulator) -> Map<String, Value> {
        let mut settings = self.settings.clone();
        settings.insert("host".to_owned(), json!(manager.host()));
        settings.insert("ca".to_owned(), json!(manager.ca_pem()));
        settings
    }

    /// Asserts that `output` contains none of the secrets, nor any that the manager issued.
    pub(super) fn is_not_in(&self, output: &str, channel: &str, manager: &Simulator) {
        let Self {
            setting, accepted, ..
        } = self;
        for secret in self.secrets.iter().cloned().chain(issued(manager)) {
            if let Some(found) = find(output, &secret) {
                panic!("{setting} (accepted: {accepted}) is in the {channel}: {found}");
            }
        }
    }
}

/// Session cookies, XSRF tokens, bearer tokens and `Authorization` headers that the manager saw.
pub(super) fn issued(manager: &Simulator) -> Vec<String> {
    let mut issued = Vec::new();
    for request in manager.requests() {
        for name in ["authorization", "cookie", "x-xsrf-token", "csp-auth-token"] {
            let value = request.headers.get(name);
            let value = value.map_or("", |value| value.to_str().unwrap());
            // The word before a credential is not secret; cookies have names.
            let parts = value.split(['=', ';', ' ']).filter(|part| part.len() > 12);
            issued.extend(parts.map(str::to_owned));
        }
    }
    issued.sort_unstable();
    issued.dedup();
    issued
}
