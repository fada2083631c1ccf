//! Names of both providers.

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, Entry};
use netmgr_types::ProviderConfig;

/// The provider whose configurations are converted.
pub(super) const FROM: &str = "nsxt";
/// The provider that they are converted to.
pub(super) const TO: &str = "netmgr";
/// Its address in registries.
pub(super) const ADDRESS: &str = "netmgr/netmgr";

/// Whether a type of data sources or resources belongs to the other provider.
pub(super) fn is_foreign(kind: &str) -> bool {
    kind.strip_prefix(FROM).is_some_and(|rest| rest.starts_with('_'))
}

/// The data source here: `netmgr_ip_pool` for `nsxt_ip_pool`.
pub(super) fn data_source(kind: &str) -> Option<String> {
    entry(kind)?;
    Some(format!("{TO}_{}", kind.strip_prefix(FROM)?.strip_prefix('_')?))
}

/// The function that answers a data source of the other provider.
fn entry(kind: &str) -> Option<&'static Entry> {
    let name = kind.strip_prefix(FROM)?.strip_prefix('_')?;
    ALL.iter().find(|entry| {
        let function = entry.spec.name;
        function.strip_prefix("get").unwrap_or(function).to_snake_case() == name
    })
}

/// Whether the data source here has an argument or a block with this name.
pub(super) fn has_argument(kind: &str, name: &str) -> bool {
    const OF_THE_HOST: [&str; 5] = ["count", "depends_on", "for_each", "lifecycle", "provider"];
    let inputs = entry(kind).map(|entry| entry.describe().inputs);
    OF_THE_HOST.contains(&name)
        || inputs
            .into_iter()
            .flatten()
            .any(|input| input.name.to_snake_case() == name)
}

/// The argument of the provider here: `cloud_token` for `vmc_token`.
pub(super) fn argument(name: &str) -> Option<String> {
    let here = match name.strip_prefix("vmc_") {
        Some(rest) => format!("cloud_{rest}"),
        None => name.to_owned(),
    };
    let mut settings = ProviderConfig::ENV.iter();
    settings
        .any(|(setting, _)| setting.to_snake_case() == here)
        .then_some(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_counterparts() {
        assert_eq!(
            data_source("nsxt_logical_tier0_router").as_deref(),
            Some("netmgr_logical_tier0_router")
        );
        assert_eq!(data_source("nsxt_policy_segment"), None);
        assert_eq!(data_source("aws_ip_pool"), None);
        assert_eq!(argument("vmc_token").as_deref(), Some("cloud_token"));
        assert_eq!(argument("host").as_deref(), Some("host"));
        assert_eq!(argument("alias"), None);
        assert!(is_foreign("nsxt_policy_group") && !is_foreign("nsxtra_group"));
    }
}
