//! Selects the credentials and checks that they are complete.

use super::{ConfigProblems, required};
use crate::config::ProviderConfig;
use crate::connection::{CloudGrant, CloudHeaders, CloudLogin, Credentials, Login, LoginScheme};
use crate::shapes::given;
use crate::{Host, Secret};

/// The public authorization service of the hosted cloud.
const EXCHANGE_HOST: &str = "console.cloud.vmware.com";
/// Path of the exchange of API tokens.
const TOKEN_PATH: &str = "/csp/gateway/am/api/auth/api-tokens/authorize";
/// Path of the exchange of OAuth credentials.
const APP_PATH: &str = "/csp/gateway/am/api/auth/authorize";

/// The secret, if it is set. Empty strings are treated as unset.
pub(super) fn given_secret(secret: &Option<Secret>) -> Option<&Secret> {
    secret.as_ref().filter(|secret| !secret.is_empty())
}

impl ProviderConfig {
    /// The first of: client certificate (without `remoteAuth`), cloud credentials, user name and password.
    pub(super) fn credentials(&self, problems: &mut ConfigProblems) -> Option<Credentials> {
        self.check_cloud(problems);
        if self.uses_certificate() {
            Some(Credentials::Certificate)
        } else if self.cloud_credentials().is_empty() {
            let login = self.login(problems)?;
            // The hosted cloud has no sessions, regardless of `sessionAuth`.
            let session = self.session_auth.unwrap_or(true) && !self.cloud_basic();
            Some(if session {
                Credentials::Session(login)
            } else {
                Credentials::Header(login)
            })
        } else {
            self.cloud_login(problems).map(Credentials::Cloud)
        }
    }

    /// Whether the manager is on the hosted cloud.
    pub(super) fn on_hosted_cloud(&self) -> bool {
        let credentials_in_use = !self.uses_certificate() && !self.cloud_credentials().is_empty();
        credentials_in_use || self.cloud_basic()
    }

    /// The settings that indicate the hosted cloud, for messages.
    pub(super) fn cloud_settings(&self) -> Vec<String> {
        let mut settings = quoted(&self.cloud_credentials());
        if self.cloud_basic() {
            settings.push("`cloudAuthMode` Basic".to_owned());
        }
        settings
    }

    fn cloud_credentials(&self) -> Vec<&'static str> {
        [
            ("cloudToken", given_secret(&self.cloud_token).is_some()),
            ("cloudClientId", given(&self.cloud_client_id).is_some()),
            (
                "cloudClientSecret",
                given_secret(&self.cloud_client_secret).is_some(),
            ),
        ]
        .into_iter()
        .filter_map(|(setting, given)| given.then_some(setting))
        .collect()
    }

    fn cloud_basic(&self) -> bool {
        given(&self.cloud_auth_mode) == Some("Basic")
    }

    /// An incomplete certificate counts as well, so that the error is not a missing user name.
    fn uses_certificate(&self) -> bool {
        self.has_identity() && !self.remote_auth.unwrap_or(false)
    }

    fn has_identity(&self) -> bool {
        given(&self.client_auth_cert).is_some()
            || given(&self.client_auth_cert_file).is_some()
            || given_secret(&self.client_auth_key).is_some()
            || given(&self.client_auth_key_file).is_some()
    }

    fn login(&self, problems: &mut ConfigProblems) -> Option<Login> {
        let unless = if self.has_identity() {
            "is required with `remoteAuth`, even with a client certificate"
        } else {
            "is required unless a client certificate or cloud credentials are given"
        };
        let username = given(&self.username);
        let password = given_secret(&self.password);
        if username.is_none() {
            problems.add(
                "username",
                required(self.username.is_some(), unless, "NETMGR_USERNAME"),
            );
        }
        if password.is_none() {
            problems.add(
                "password",
                required(self.password.is_some(), unless, "NETMGR_PASSWORD"),
            );
        }
        Some(Login {
            username: username?.to_owned(),
            password: password?.clone(),
            scheme: if self.remote_auth.unwrap_or(false) {
                LoginScheme::Remote
            } else {
                LoginScheme::Basic
            },
        })
    }

    fn cloud_login(&self, problems: &mut ConfigProblems) -> Option<CloudLogin> {
        let (grant, path) = match given_secret(&self.cloud_token) {
            Some(token) => (CloudGrant::ApiToken(token.clone()), TOKEN_PATH),
            None => {
                let app = CloudGrant::App {
                    id: given(&self.cloud_client_id)?.to_owned(),
                    secret: given_secret(&self.cloud_client_secret)?.clone(),
                };
                (app, APP_PATH)
            }
        };
        let host = given(&self.cloud_auth_host).unwrap_or(EXCHANGE_HOST);
        let mut exchange = problems.take("cloudAuthHost", Host::parse(host))?;
        if exchange.prefix.is_empty() {
            path.clone_into(&mut exchange.prefix);
        }
        Some(CloudLogin {
            exchange_url: exchange.base_url(),
            grant,
            headers: if given(&self.cloud_auth_mode) == Some("Bearer") {
                CloudHeaders::Bearer
            } else {
                CloudHeaders::Both
            },
        })
    }

    fn check_cloud(&self, problems: &mut ConfigProblems) {
        if let Some(mode) = given(&self.cloud_auth_mode)
            && !["Default", "Bearer", "Basic"].contains(&mode)
        {
            problems.add(
                "cloudAuthMode",
                format!("must be Default, Bearer or Basic, not {mode:?}"),
            );
        }
        match self.cloud_credentials()[..] {
            ["cloudToken", ref others @ ..] if !others.is_empty() => problems.add(
                "cloudToken",
                format!("cannot be used together with {}", quoted(others).join(", ")),
            ),
            ["cloudClientId"] => problems.add("cloudClientSecret", "is required with `cloudClientId`"),
            ["cloudClientSecret"] => problems.add("cloudClientId", "is required with `cloudClientSecret`"),
            _ => {}
        }
        if given(&self.cloud_client_id).is_some_and(|id| id.contains(['/', '&'])) {
            problems.add("cloudClientId", "must not contain \"/\" or \"&\"");
        }
        if self.on_demand_connection.unwrap_or(false) && self.on_hosted_cloud() {
            problems.add("onDemandConnection", "is not available on the hosted cloud");
        }
    }
}

/// Names as they stand in messages.
fn quoted(settings: &[&str]) -> Vec<String> {
    settings.iter().map(|setting| format!("`{setting}`")).collect()
}
