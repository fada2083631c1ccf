//! Policies and their rules, profiles, certificates and role bindings.

use std::sync::Arc;

use netmgr_types::shapes::{ContextOutput, ObjectOutput, Tag};
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::Since;
use crate::declared::paths::{IDS_GATEWAY_POLICY, IDS_POLICY};
use crate::declared::rules::Rule::{Domain, FlagOr, NoEffect, Parent, Text};
use crate::declared::wording::TENANT;
use crate::declared::{
    EVERYWHERE, OfKind as _, POLICY, POLICY_AND_CLOUD, POLICY_AND_GLOBAL, lookups, output,
};
use crate::finding::read::{By, Read};
use crate::finding::tree::Tree;

/// First version with all of the intrusion service.
pub(super) const WITH_IDS: &[Since] = &[Since::version("4.2.0")];

/// Members of all policies of the intrusion service.
macro_rules! policy_members {
    ([$doc:expr] $name:ident { $($member:tt)* }) => {
        output! { [$doc] $name {
            $($member)*
            /// Category.
            category: String,
            /// Comments; empty if there are none.
            comments: String,
            /// Whether the policy is locked.
            locked: bool,
            /// Revision number.
            revision: Option<i64> = "_revision",
            /// Position in the order of policies.
            sequence_number: Option<i64>,
            /// Whether connections are tracked.
            stateful: bool,
        } }
    };
}

/// Members of all rules of the intrusion service.
macro_rules! rule_members {
    ([$doc:expr] $name:ident { $($member:tt)* }) => {
        output! { [$doc] $name {
            $($member)*
            /// Action, such as `DETECT`.
            action: String,
            /// Policy paths of the destination groups.
            destination_groups: Vec<String>,
            /// Whether the destination groups are excluded.
            destinations_excluded: bool,
            /// Direction: `IN`, `OUT` or `IN_OUT`.
            direction: String,
            /// Whether the rule is disabled.
            disabled: bool,
            /// Policy paths of the intrusion service profiles.
            ids_profiles: Vec<String>,
            /// IP version: `IPV4`, `IPV6` or `IPV4_IPV6`.
            ip_version: String = "ip_protocol",
            /// Label in the log; empty if there is none.
            log_label: String = "tag",
            /// Whether matches are logged.
            logged: bool,
            /// Notes; empty if there are none.
            notes: String,
            /// Rule number.
            rule_id: Option<i64>,
            /// Policy paths of the objects that the rule is applied to.
            scope: Vec<String>,
            /// Position in the order of rules.
            sequence_number: Option<i64>,
            /// Policy paths of the services.
            services: Vec<String>,
            /// Policy paths of the source groups.
            source_groups: Vec<String>,
            /// Whether the source groups are excluded.
            sources_excluded: bool,
        } }
    };
}

lookups! {
    ENTRIES;

    /// Finds a certificate by id or display name.
    GetPolicyCertificate = "getPolicyCertificate", "certificate" {
        kind: infra("TlsCertificate", "certificates"),
        inputs: Prefix in project as TENANT {},
        repeats: [context],
        output: ContextOutput,
        facts: availability(POLICY_AND_GLOBAL).example(r#"{"context": {"projectId": "dev"}, "displayName": "lb-cert-web"}"#)
            .source("4.2")
    }

    /// Finds a distributed flood protection profile by id or display name.
    GetPolicyDistributedFloodProtectionProfile = "getPolicyDistributedFloodProtectionProfile", "distributed flood protection profile" {
        // Gateway profiles are in the same collection.
        kind: infra("DistributedFloodProtectionProfile", "flood-protection-profiles"),
        inputs: Prefix in project as TENANT {},
        repeats: [context],
        output: ContextOutput,
        facts: availability(POLICY_AND_GLOBAL).example(r#"{"context": {"projectId": "dev"}, "displayName": "dfpp-proj"}"#)
            .source("4.2")
    }

    /// Finds a gateway flood protection profile by id or display name.
    GetPolicyGatewayFloodProtectionProfile = "getPolicyGatewayFloodProtectionProfile", "gateway flood protection profile" {
        // Distributed profiles are in the same collection.
        kind: infra("GatewayFloodProtectionProfile", "flood-protection-profiles"),
        inputs: Exclusive in project {},
        output: ObjectOutput,
        facts: availability(POLICY_AND_GLOBAL).example(r#"{"displayName": "gfpp-strict"}"#)
    }

    /// Finds a gateway policy by id, display name or category.
    GetPolicyGatewayPolicy = "getPolicyGatewayPolicy", "gateway policy" {
        kind: nested("GatewayPolicy", "gateway-policies"),
        inputs: PrefixOrFilter in project {
            /// Category that the policy must have, such as `LocalGatewayRules`.
            category: Option<String> => Text("category"),
            /// Id of the domain that the policy belongs to.
            domain: Option<String> => Domain,
        },
        output: PolicyGatewayPolicy {
            /// Category, such as `LocalGatewayRules`.
            category: String,
        },
        facts: availability(EVERYWHERE).example(r#"{"displayName": "allow-web"}"#)
    }

    /// Finds the intrusion service configuration of a cluster by id or display name.
    GetPolicyIdpsClusterConfig = "getPolicyIdpsClusterConfig", "intrusion service cluster configuration" {
        kind: infra("", "settings/firewall/security/intrusion-services/cluster-configs").listed_with(&[]),
        inputs: Exclusive {},
        output: PolicyIdpsClusterConfig {
            /// The cluster.
            cluster: Vec<IdsCluster> => cluster,
            /// Whether the intrusion service is enabled.
            ids_enabled: bool,
        },
        facts: availability(POLICY).since(WITH_IDS).example(r#"{"displayName": "Compute-Cluster-01"}"#)
    }

    /// Finds a version of the intrusion signatures by id or display name.
    GetPolicyIdpsSignatureVersion = "getPolicyIdpsSignatureVersion", "signature version" {
        kind: infra("", "settings/firewall/security/intrusion-services/signature-versions").listed_with(&[]),
        inputs: Exclusive {},
        output: PolicyIdpsSignatureVersion {
            /// Whether it was updated automatically.
            auto_update: bool,
            /// Description of the changes.
            change_log: String,
            /// Policy paths of the sites.
            sites: Vec<String>,
            /// State, such as `ACTIVE`.
            state: String,
            /// Status, such as `LATEST`.
            status: String,
            /// Time of the update, in milliseconds since 1970.
            update_time: Option<i64>,
            /// Whether a user uploaded it.
            user_uploaded: bool,
            /// Id of the version.
            version_id: String,
            /// Name of the version; empty if it has none.
            version_name: String,
        },
        facts: availability(POLICY).since(WITH_IDS).example(r#"{"displayName": "DEFAULT"}"#)
    }

    /// Finds a gateway policy of the intrusion service with its rules, by id, display name or category.
    GetPolicyIntrusionServiceGatewayPolicy = "getPolicyIntrusionServiceGatewayPolicy", "intrusion service gateway policy" {
        kind: nested("", "intrusion-service-gateway-policies").listed_with(&[]),
        inputs: PrefixOrFilter {
            /// Category that the policy must have.
            category: Option<String> => Text("category"),
            /// Id of the domain that the policy belongs to.
            domain: Option<String> => Domain,
        },
        then: rules(),
        output: PolicyIntrusionServiceGatewayPolicy {
            with policy_members;
            /// Rules, in order.
            rules: Vec<IdsRule> => ids_rules,
        },
        facts: availability(POLICY).since(WITH_IDS).completed(&["rules"]).example(r#"{"displayName": "ids-gateway"}"#)
    }

    /// Finds a rule of a gateway policy of the intrusion service by id or display name.
    GetPolicyIntrusionServiceGatewayPolicyRule = "getPolicyIntrusionServiceGatewayPolicyRule", "intrusion service rule" {
        kind: nested("", "rules").listed_with(&[]),
        inputs: Prefix {
            /// Direction that the rule must have: `IN`, `OUT` or `IN_OUT`.
            direction: Option<String> => Text("direction"),
            /// Id of the domain, which `policyPath` implies. Has no effect.
            domain: Option<String> => NoEffect,
            /// IP version that the rule must have: `IPV4`, `IPV6` or `IPV4_IPV6`.
            ip_version: Option<String> => Text("ip_protocol"),
            /// Policy path of the policy.
            policy_path: String => Parent(IDS_GATEWAY_POLICY),
        },
        output: PolicyIntrusionServiceGatewayPolicyRule {
            with rule_members;
            /// Revision number.
            revision: Option<i64> = "_revision",
        },
        facts: availability(POLICY)
            .since(WITH_IDS)
            .without_effect(&["domain"])
            .example(r#"{"displayName": "detect-all", "policyPath": "/infra/domains/default/intrusion-service-gateway-policies/ids-gateway"}"#)
    }

    /// Finds a policy of the intrusion service with its rules, by id, display name or category.
    GetPolicyIntrusionServicePolicy = "getPolicyIntrusionServicePolicy", "intrusion service policy" {
        kind: nested("", "intrusion-service-policies").listed_with(&[]),
        inputs: PrefixOrFilter in project {
            /// Category that the policy must have.
            category: Option<String> => Text("category"),
            /// Id of the domain that the policy belongs to.
            domain: Option<String> => Domain,
        },
        then: rules(),
        output: PolicyIntrusionServicePolicy {
            with policy_members;
            /// Rules, in order.
            rules: Vec<IdsRule> => ids_rules,
        },
        facts: availability(POLICY).since(WITH_IDS).completed(&["rules"]).example(r#"{"displayName": "ids-east-west"}"#)
    }

    /// Finds a rule of a policy of the intrusion service by id or display name.
    GetPolicyIntrusionServicePolicyRule = "getPolicyIntrusionServicePolicyRule", "intrusion service rule" {
        kind: nested("", "rules").listed_with(&[]),
        inputs: Prefix in project {
            /// Direction that the rule must have: `IN`, `OUT` or `IN_OUT`.
            direction: Option<String> => Text("direction"),
            /// Id of the domain, which `policyPath` implies. Has no effect.
            domain: Option<String> => NoEffect,
            /// IP version that the rule must have: `IPV4`, `IPV6` or `IPV4_IPV6`.
            ip_version: Option<String> => Text("ip_protocol"),
            /// Behavior under oversubscription that the rule must have.
            oversubscription: Option<String> => Text("oversubscription"),
            /// Policy path of the policy.
            policy_path: String => Parent(IDS_POLICY),
        },
        output: PolicyIntrusionServicePolicyRule {
            with rule_members;
            /// Revision number.
            revision: Option<i64> = "_revision",
            /// Behavior under oversubscription; empty if it is not set.
            oversubscription: String,
        },
        facts: availability(POLICY)
            .since(WITH_IDS)
            .without_effect(&["domain"])
            .example(r#"{"displayName": "detect-all", "policyPath": "/infra/domains/default/intrusion-service-policies/ids-east-west"}"#)
    }

    /// Finds an intrusion service profile by id or display name.
    GetPolicyIntrusionServiceProfile = "getPolicyIntrusionServiceProfile", "intrusion service profile" {
        kind: infra("IdsProfile", "settings/firewall/security/intrusion-services/profiles"),
        inputs: Exclusive in project {},
        output: ObjectOutput,
        facts: availability(POLICY_AND_CLOUD).example(r#"{"displayName": "ids-strict"}"#)
    }

    /// Finds a gateway policy of the intrusion service without its rules, by id, display name or category.
    GetPolicyParentIntrusionServiceGatewayPolicy = "getPolicyParentIntrusionServiceGatewayPolicy", "intrusion service gateway policy" {
        kind: nested("", "intrusion-service-gateway-policies").listed_with(&[]),
        inputs: PrefixOrFilter {
            /// Category that the policy must have.
            category: Option<String> => Text("category"),
            /// Id of the domain that the policy belongs to.
            domain: Option<String> => Domain,
        },
        output: PolicyParentIntrusionServiceGatewayPolicy {
            with policy_members;
        },
        facts: availability(POLICY).since(WITH_IDS).example(r#"{"displayName": "ids-gateway"}"#)
    }

    /// Finds a policy of the intrusion service without its rules, by id, display name or category.
    GetPolicyParentIntrusionServicePolicy = "getPolicyParentIntrusionServicePolicy", "intrusion service policy" {
        kind: nested("", "intrusion-service-policies").listed_with(&[]),
        inputs: PrefixOrFilter in project {
            /// Category that the policy must have.
            category: Option<String> => Text("category"),
            /// Id of the domain that the policy belongs to.
            domain: Option<String> => Domain,
        },
        output: PolicyParentIntrusionServicePolicy {
            with policy_members;
        },
        facts: availability(POLICY).since(WITH_IDS).example(r#"{"displayName": "ids-east-west"}"#)
    }

    /// Finds a security policy by id, display name or category.
    GetPolicySecurityPolicy = "getPolicySecurityPolicy", "security policy" {
        kind: nested("SecurityPolicy", "security-policies"),
        inputs: PrefixOrFilter in any_project {
            /// Category that the policy must have, such as `Application`.
            category: Option<String> => Text("category"),
            /// Id of the domain that the policy belongs to.
            domain: Option<String> => Domain,
            /// Whether to find a default policy. Has no effect if `id` is set.
            is_default: Option<bool> => FlagOr("is_default", false),
        },
        output: PolicySecurityPolicy {
            /// Category, such as `Application`.
            category: String,
            /// Whether it is a default policy.
            is_default: bool,
        },
        facts: availability(EVERYWHERE).example(r#"{"displayName": "web-to-db"}"#)
    }

    /// Finds a role binding by id, or by the name and type of its user.
    GetPolicyUserManagementRoleBinding = "getPolicyUserManagementRoleBinding", "role binding" {
        kind: fixed("", "/policy/api/v1/aaa/role-bindings"),
        inputs: PrefixOrFilter {
            /// Id of the identity source that the binding must have.
            identity_source_id: Option<String> => Text("identity_source_id"),
            /// Name of the user or group.
            name: Option<String> => Text("name"),
            /// Type of the user: `local_user`, `remote_user`, `remote_group` or `principal_identity`.
            #[serde(rename = "type")]
            type_: Option<String> => Text("type"),
            /// Numeric id of the local user.
            user_id: Option<String> => Text("user_id"),
        },
        output: PolicyUserManagementRoleBinding {
            without path;
            /// Id of the identity source; empty if there is none.
            identity_source_id: String,
            /// Type of the identity source; empty if there is none.
            identity_source_type: String,
            /// Name of the user or group.
            name: String,
            /// Revision number.
            revision: Option<i64> = "_revision",
            /// Roles, limited to a path.
            roles_for_path: Vec<RolesForPath> => roles_for_path,
            /// Type of the user.
            #[serde(rename = "type")]
            type_: String = "type",
            /// Numeric id of the local user; empty if there is none.
            user_id: String,
        },
        facts: availability(POLICY_AND_GLOBAL).example(r#"{"name": "auditors", "type": "remote_group"}"#)
    }
}

output! {
    ["A rule of the intrusion service."]
    IdsRule {
        with rule_members;
        bare;
        /// Description; empty if there is none.
        description: String,
        /// Display name.
        display_name: String => ManagedObject::name,
        /// Id.
        id: String => ManagedObject::id,
        /// Behavior under oversubscription; empty if it is not set.
        oversubscription: String,
        /// Policy path.
        path: String,
        /// Revision of the rule.
        revision: Option<i64> = "_revision",
        /// Tags.
        tags: Vec<Tag> => ManagedObject::tags,
    }
}

fn ids_rules(policy: &ManagedObject) -> Vec<IdsRule> {
    let rules: Vec<ManagedObject> = policy.list("rules");
    rules.iter().map(IdsRule::from).collect()
}

/// Adds the rules of a policy in their order.
async fn rules(cx: &LookupContext<'_>, policy: &mut ManagedObject) -> Result<(), Error> {
    let path = policy.path().unwrap_or_default().to_owned();
    let Some(tree) = Tree::around(&path, cx.scope.deployment) else {
        return Ok(());
    };
    let read = Read::new(GetPolicyIntrusionServicePolicyRule::KIND, cx.scope, By::All);
    let read = Arc::new(read.within(tree).below("policy", path));
    let keep =
        |rule: &ManagedObject| Some((rule.number("sequence_number"), rule.id().to_owned(), rule.clone()));
    let mut rules = cx.collect(&read, keep).await?;
    rules.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let rules: Vec<_> = rules.into_iter().map(|(.., rule)| rule.into_json()).collect();
    policy.set("rules", rules);
    Ok(())
}

/// A cluster of hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all(serialize = "camelCase"), default)]
#[non_exhaustive]
pub struct IdsCluster {
    /// Id of the cluster.
    pub target_id: String,
    /// Type of the cluster, such as `VC_Cluster`.
    pub target_type: String,
}

fn cluster(config: &ManagedObject) -> Vec<IdsCluster> {
    config.value("cluster").into_iter().collect()
}

/// Roles of a role binding, limited to a path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RolesForPath {
    /// Path that the roles apply to.
    pub path: String,
    /// Names of the roles.
    pub roles: Vec<String>,
}

fn roles_for_path(binding: &ManagedObject) -> Vec<RolesForPath> {
    let roles = |of_path: FullPath| RolesForPath {
        path: of_path.path,
        roles: of_path.roles.into_iter().filter_map(|role| role.role).collect(),
    };
    binding.list("roles_for_paths").into_iter().map(roles).collect()
}

/// [`RolesForPath`] as the manager sends it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct FullPath {
    path: String,
    roles: Vec<FullRole>,
}

/// A role as the manager sends it.
#[derive(Deserialize)]
struct FullRole {
    role: Option<String>,
}
