//! Names of both providers.

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, Description, Property, Shape};
use netmgr_types::{ManagerVersion, ProviderConfig};

use crate::catalog::CATALOG;

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

/// Results that are blocks there and lists here: name there, name here.
const LISTS: [(&str, &str); 2] = [("tag", "tags"), ("rule", "rules")];

/// Members of a rule that have another name here: name there, name here.
pub(super) const RULE_MEMBERS: [(&str, &str); 2] = [("tag", "tags"), ("nsx_id", "id")];

/// The name of a data source of either provider without its prefix.
fn bare(kind: &str) -> Option<&str> {
    let rest = kind.strip_prefix(FROM).or_else(|| kind.strip_prefix(TO));
    rest?.strip_prefix('_')
}

/// The data source here: `netmgr_ip_pool` for `nsxt_ip_pool` and for itself.
pub(super) fn data_source(kind: &str) -> Option<String> {
    here(kind)?;
    Some(format!("{TO}_{}", bare(kind)?))
}

/// The reason why a manager of this version does not have a data source of either provider, and its replacement.
pub(super) fn removed(kind: &str, version: &ManagerVersion) -> Option<String> {
    let name = bare(kind)?;
    let mut functions = ALL.iter().map(|entry| &entry.spec);
    let spec = functions.find(|spec| in_snake_case(spec.name) == name)?;
    let first = spec.removed_in?;
    let is_removed = first
        .parse::<ManagerVersion>()
        .is_ok_and(|first| first <= *version);
    let successors = spec.successors.iter();
    let successors: Vec<String> = successors
        .map(|name| format!("{TO}_{}", in_snake_case(name)))
        .collect();
    let instead = match &successors[..] {
        [] => "there is no replacement".to_owned(),
        names => format!("use {}", names.join(" or ")),
    };
    is_removed.then(|| format!("managers of version {first} and later do not have {TO}_{name}; {instead}"))
}

fn in_snake_case(function: &str) -> String {
    function.strip_prefix("get").unwrap_or(function).to_snake_case()
}

/// Whether the data source here has an argument or a block with this name.
pub(super) fn has_argument(kind: &str, name: &str) -> bool {
    const OF_THE_HOST: [&str; 5] = ["count", "depends_on", "for_each", "lifecycle", "provider"];
    OF_THE_HOST.contains(&name) || here(kind).is_some_and(|here| named(&here.inputs, name).is_some())
}

/// The function behind the data source here.
fn here(kind: &str) -> Option<&'static Description> {
    let name = bare(kind)?;
    let mut functions = CATALOG.iter();
    let function = functions.find(|function| function.name.split('-').eq(name.split('_')))?;
    Some(function.description())
}

/// The argument or attribute with this name in Terraform.
fn named<'a>(properties: &'a [Property], name: &str) -> Option<&'a Property> {
    let mut properties = properties.iter();
    properties.find(|property| property.name.to_snake_case() == name)
}

/// The name here of what a data source returns, or of one of its arguments.
pub(super) fn result<'a>(kind: &str, name: &'a str) -> Option<&'a str> {
    let here = here(kind)?;
    let has = |name: &str| named(&here.outputs, name).or(named(&here.inputs, name)).is_some();
    if has(name) {
        return Some(name);
    }
    let list = LISTS.iter().find(|(block, list)| *block == name && has(list));
    list.map(|(_, list)| *list)
}

/// The attributes of a data source that have another name here: name there, name here.
pub(super) fn renamed(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_renamed = move |(there, here): &(&str, &str)| result(kind, there) == Some(here);
    LISTS.into_iter().filter(is_renamed)
}

/// The names there of all attributes that have another name here.
pub(super) fn all_renamed() -> impl Iterator<Item = &'static str> {
    LISTS.into_iter().chain(RULE_MEMBERS).map(|(there, _)| there)
}

/// Whether an attribute of a data source is an object here, and a list with one object there.
pub(super) fn is_object_result(kind: &str, name: &str) -> bool {
    let result = here(kind).and_then(|here| named(&here.outputs, name));
    is_object(kind, name) || result.is_some_and(|result| result.shape == Shape::Object)
}

/// The members of an argument of a data source that is a block there and a nested attribute here.
fn members(kind: &str, name: &str) -> Option<&'static [Property]> {
    let argument = named(&here(kind)?.inputs, name)?;
    (argument.shape == Shape::Object).then_some(&argument.properties)
}

/// Whether such an argument has a member with this name.
pub(super) fn has_member(kind: &str, name: &str, member: &str) -> bool {
    members(kind, name).is_some_and(|members| named(members, member).is_some())
}

/// Whether an argument of a data source is a block there and a nested attribute here.
pub(super) fn is_object(kind: &str, name: &str) -> bool {
    members(kind, name).is_some()
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
        assert_eq!(data_source("nsxt_policy_nothing"), None);
        assert!(is_object("nsxt_policy_certificate", "context"));
        assert!(!is_object("nsxt_policy_certificate", "id") && !is_object("nsxt_ip_pool", "context"));
        assert_eq!(data_source("aws_ip_pool"), None);
        assert!(has_argument("nsxt_policy_certificate", "context") && has_argument("nsxt_ip_pool", "count"));
        assert!(!has_argument("nsxt_ip_pool", "context") && !has_argument("nsxt_nothing", "id"));
        assert_eq!(result("nsxt_policy_vm", "tag"), Some("tags"));
        assert_eq!(result("nsxt_policy_vm", "external_id"), Some("external_id"));
        assert_eq!(result("nsxt_policy_groups", "tag"), Some("tag"));
        assert_eq!(result("nsxt_ip_pool", "tag"), None);
        assert_eq!(renamed("nsxt_policy_vm").collect::<Vec<_>>(), [("tag", "tags")]);
        assert_eq!(renamed("nsxt_policy_vms").count(), 0);
        assert!(is_object_result("nsxt_policy_tier0_gateway", "vrf_config"));
        assert!(!is_object_result("nsxt_policy_segment", "subnet"));
        let nine = "9".parse().unwrap();
        assert_eq!(
            removed("nsxt_firewall_section", &nine).as_deref(),
            Some(
                "managers of version 9.0.0 and later do not have netmgr_firewall_section; \
                 use netmgr_policy_security_policy or netmgr_policy_gateway_policy"
            )
        );
        assert_eq!(
            removed("netmgr_mac_pool", &nine).as_deref(),
            Some("managers of version 9.0.0 and later do not have netmgr_mac_pool; there is no replacement")
        );
        assert_eq!(removed("nsxt_ns_group", &"4.2.3".parse().unwrap()), None);
        assert_eq!(removed("nsxt_policy_group", &nine), None);
        assert_eq!(argument("vmc_token").as_deref(), Some("cloud_token"));
        assert_eq!(argument("host").as_deref(), Some("host"));
        assert_eq!(argument("alias"), None);
        assert!(is_foreign("nsxt_policy_group") && !is_foreign("nsxtra_group"));
    }
}
