//! Access to the cluster: the administrator, and the OIDC provider for service accounts.

use pulumi_plugin::components::{ChildOptions, Output, Resource, Scope, all, format_output, properties};

use crate::aws::{CallerIdentity, Partition};
use crate::cluster::inputs::ClusterInputs;

/// Registers the administrator's access entry and policy.
///
/// A default principal is the identity that created the cluster. It is kept when another identity runs the
/// program later; otherwise, a pipeline would take over the access of the developer who created the cluster.
pub(super) fn administrator(
    scope: &Scope,
    inputs: &ClusterInputs,
    partition: &Partition,
    caller: &CallerIdentity,
    control_plane: &Resource,
) -> Resource {
    let is_default = inputs.admin_access_principal.is_none();
    let chosen = inputs.admin_access_principal.clone();
    let principal = chosen.unwrap_or_else(|| role_of_caller(scope, caller));
    let kept = || is_default.then_some("principalArn");
    let name = format!("{}-admin", scope.name());
    let properties = properties! {
        "clusterName": control_plane.output::<String>("name"),
        "principalArn": principal,
        "type": "STANDARD",
        "tags": inputs.tags.clone(),
    };
    let entry = scope.register(
        "aws:eks/accessEntry:AccessEntry",
        format!("{name}-access"),
        properties,
        ChildOptions::below(control_plane).ignore_changes(kept()),
    );
    match &inputs.admin_access_principal {
        Some(principal) => warn_of_others(scope, principal, &caller.arn),
        None => warn_of_kept(scope, &entry.output("principalArn"), &caller.arn),
    }
    let properties = properties! {
        "clusterName": control_plane.output::<String>("name"),
        "principalArn": entry.output::<String>("principalArn"),
        "policyArn": format_output!(
            "arn:{partition}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
            partition = partition.name.clone()
        ),
        "accessScope": properties! { "type": "cluster" },
    };
    let token = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation";
    scope.register(
        token,
        format!("{name}-policy"),
        properties,
        ChildOptions::below(&entry).ignore_changes(kept()),
    )
}

/// The role of a session, or the user.
fn role_of_caller(scope: &Scope, caller: &CallerIdentity) -> Output<String> {
    let arguments = properties! { "arn": caller.arn.clone() };
    scope
        .call("aws:iam/getSessionContext:getSessionContext", arguments)
        .output("issuerArn")
}

/// Warns if the program does not run as the administrator, which installs the add-ons.
fn warn_of_others(scope: &Scope, principal: &Output<String>, caller: &Output<String>) {
    let warning = all((principal.clone(), caller.clone())).map(|(principal, caller)| {
        (!is_same(&principal, &caller)).then(|| {
            "adminAccessPrincipal is not the identity that runs the program, which may then be unable to \
             install anything in the cluster"
                .to_owned()
        })
    });
    scope.warn_if(warning);
}

/// Warns if another identity created the cluster and is still its administrator.
fn warn_of_kept(scope: &Scope, principal: &Output<String>, caller: &Output<String>) {
    let warning = all((principal.clone(), caller.clone())).map(|(principal, caller)| {
        (!is_same(&principal, &caller)).then(|| {
            format!(
                "the administrator of the cluster is {principal}, which created it, and not the identity that runs the \
                 program, which may be unable to change anything in the cluster; run the program as the administrator, \
                 or set adminAccessPrincipal"
            )
        })
    });
    scope.warn_if(warning);
}

/// Whether a caller is the principal or a session of it.
fn is_same(principal: &str, caller: &str) -> bool {
    fn account_and_role(arn: &str) -> Option<(&str, &str)> {
        let mut parts = arn.splitn(6, ':');
        let account = parts.nth(4)?;
        let resource = parts.next()?;
        match resource.split('/').collect::<Vec<_>>()[..] {
            ["assumed-role", role, _] => Some((account, role)),
            ["role", .., role] => Some((account, role)),
            _ => None,
        }
    }
    principal == caller
        || account_and_role(principal).is_some_and(|role| Some(role) == account_and_role(caller))
}

/// Registers the OIDC provider, so that roles can trust service accounts of the cluster. The audience is the
/// same in all partitions.
pub(super) fn oidc_provider(scope: &Scope, inputs: &ClusterInputs, control_plane: &Resource) -> Resource {
    let properties = properties! {
        "url": control_plane.output::<String>("identities[0].oidcs[0].issuer"),
        "clientIdLists": ["sts.amazonaws.com"],
        "tags": inputs.tags.clone(),
    };
    scope.register(
        "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
        format!("{}-oidc-provider", scope.name()),
        properties,
        ChildOptions::below(control_plane),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_the_same_as_its_role_with_or_without_path() {
        let session = "arn:aws:sts::1:assumed-role/deployer/ci";
        assert!(is_same("arn:aws:iam::1:role/deployer", session));
        assert!(is_same("arn:aws:iam::1:role/teams/a/deployer", session));
        assert!(is_same("arn:aws:iam::1:user/ann", "arn:aws:iam::1:user/ann"));
    }

    #[test]
    fn other_roles_and_accounts_are_not_the_same() {
        let session = "arn:aws:sts::1:assumed-role/deployer/ci";
        assert!(!is_same("arn:aws:iam::1:role/admin", session));
        assert!(!is_same("arn:aws:iam::2:role/deployer", session));
        assert!(!is_same("arn:aws:iam::1:user/deployer", session));
    }
}
