//! Identity of clients of the cluster: the identity that created the cluster, if the engine provides it
//! (decision cluster-access).

use pulumi_plugin::components::{Output, Scope, all};
use serde::Deserialize;

use super::KubeconfigOptions;

/// Options of the AWS command line tool that select the identity of a token.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TokenIdentity {
    pub(super) profile: Option<String>,
    pub(super) role_arn: Option<String>,
}

/// A role in the configuration of the cloud's provider.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AssumedRole {
    role_arn: Option<String>,
}

impl TokenIdentity {
    /// The identity in the inputs; by default, that in the configuration of the stack.
    pub(super) fn of(scope: &Scope, options: Option<&Output<KubeconfigOptions>>) -> Output<Self> {
        let configured = Self::configured(scope);
        let Some(options) = options else {
            return Output::known(configured);
        };
        options.clone().then(move |options| {
            let or = |given: Option<Output<String>>, default: Option<String>| match given {
                Some(given) => given.map(Some),
                None => Output::known(default),
            };
            // If a role or a profile is set, the configuration is ignored, because a configured role might
            // not be assumable from another profile.
            let is_explicit = options.profile_name.is_some() || options.role_arn.is_some();
            let configured = if is_explicit { Self::default() } else { configured };
            let parts = (
                or(options.profile_name, configured.profile),
                or(options.role_arn, configured.role_arn),
            );
            all(parts).map(|(profile, role_arn)| Self { profile, role_arn })
        })
    }

    /// The configuration of the default AWS provider. That of an explicit provider is not available.
    fn configured(scope: &Scope) -> Self {
        if scope.has_provider("aws") {
            return Self::default();
        }
        let filled = |key| scope.config(key).filter(|text| !text.is_empty());
        let roles = filled("aws:assumeRoles").and_then(|text| serde_json::from_str(text).ok());
        let roles: Vec<AssumedRole> = roles.unwrap_or_default();
        Self {
            profile: filled("aws:profile").map(str::to_owned),
            // The tool can only assume one role.
            role_arn: match <[AssumedRole; 1]>::try_from(roles) {
                Ok([role]) => role.role_arn,
                Err(_) => None,
            },
        }
    }
}
