//! The kubeconfig, and the Kubernetes provider that uses it.

use pulumi_plugin::components::{ChildOptions, Output, Resource, Scope, all, properties, record};
use serde::Serialize;

use crate::check;
use crate::cluster::kubeconfig::identity::TokenIdentity;

mod identity;

record! {
    /// Identity with which clients of the cluster obtain tokens. Not part of the original specification.
    pub struct KubeconfigOptions {
        /// Profile of the AWS command line tool. Default: the profile in the stack's configuration
        /// (`aws:profile`), unless the component has an explicit AWS provider.
        #[schemars(extend("minLength" = 1))]
        pub profile_name: Option<Output<String>>,
        /// ARN of the role to assume for tokens. Default: the role in the stack's configuration
        /// (`aws:assumeRoles`, if it has one element), unless the component has an explicit AWS provider.
        #[schemars(transform = check::ROLE.rule())]
        pub role_arn: Option<Output<String>>,
    }
}

/// Version of the credential protocol that current clients and the AWS command line tool support.
const EXEC_API_VERSION: &str = "client.authentication.k8s.io/v1beta1";

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Kubeconfig<'a> {
    #[serde(rename = "apiVersion")]
    api_version: &'static str,
    kind: &'static str,
    clusters: [NamedEntry<'a, ClusterEntry<'a>>; 1],
    contexts: [NamedEntry<'a, ContextEntry<'a>>; 1],
    current_context: &'a str,
    users: [NamedEntry<'a, UserEntry<'a>>; 1],
}

/// A named entry of a list.
#[derive(Serialize)]
struct NamedEntry<'a, T> {
    name: &'a str,
    #[serde(flatten)]
    entry: T,
}

#[derive(Serialize)]
struct ClusterEntry<'a> {
    cluster: ApiServer<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ApiServer<'a> {
    server: &'a str,
    certificate_authority_data: &'a str,
}

#[derive(Serialize)]
struct ContextEntry<'a> {
    context: KubeContext<'a>,
}

#[derive(Serialize)]
struct KubeContext<'a> {
    cluster: &'a str,
    user: &'a str,
}

#[derive(Serialize)]
struct UserEntry<'a> {
    user: KubeconfigUser<'a>,
}

#[derive(Serialize)]
struct KubeconfigUser<'a> {
    exec: Exec<'a>,
}

/// The command that gets a token.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Exec<'a> {
    api_version: &'static str,
    command: &'static str,
    args: Vec<&'a str>,
    interactive_mode: &'static str,
}

/// The kubeconfig as JSON, which is secret. It contains region and cluster, and the profile and role if set,
/// so it works on any machine with that profile and access to the cluster.
pub(super) fn kubeconfig(
    scope: &Scope,
    options: Option<&Output<KubeconfigOptions>>,
    region: &Output<String>,
    control_plane: &Resource,
) -> Output<String> {
    let name = scope.name().to_owned();
    let identity = TokenIdentity::of(scope, options);
    let parts = (
        all((region.clone(), identity)),
        control_plane.output("name"),
        control_plane.output("endpoint"),
        control_plane.output("certificateAuthority.data"),
    );
    let text = all(parts).map(move |parts: ((String, TokenIdentity), String, String, String)| {
        let ((region, identity), cluster, endpoint, authority) = &parts;
        render(
            &name,
            &token_command(region, cluster, identity),
            endpoint,
            authority,
        )
    });
    text.secret()
}

/// Arguments of the AWS command line tool. An explicit profile takes precedence over credentials in the
/// environment.
fn token_command<'a>(region: &'a str, cluster: &'a str, identity: &'a TokenIdentity) -> Vec<&'a str> {
    let mut arguments = vec!["--region", region, "eks", "get-token", "--cluster-name", cluster];
    arguments.extend(["--output", "json"]);
    for (flag, value) in [
        ("--role-arn", &identity.role_arn),
        ("--profile", &identity.profile),
    ] {
        arguments.extend(value.iter().flat_map(|value| [flag, value.as_str()]));
    }
    arguments
}

fn render(name: &str, token_command: &[&str], endpoint: &str, authority: &str) -> String {
    let server = ApiServer {
        server: endpoint,
        certificate_authority_data: authority,
    };
    let exec = Exec {
        api_version: EXEC_API_VERSION,
        command: "aws",
        args: token_command.to_vec(),
        interactive_mode: "IfAvailable",
    };
    let config = Kubeconfig {
        api_version: "v1",
        kind: "Config",
        clusters: [NamedEntry {
            name,
            entry: ClusterEntry { cluster: server },
        }],
        contexts: [NamedEntry {
            name,
            entry: ContextEntry {
                context: KubeContext {
                    cluster: name,
                    user: name,
                },
            },
        }],
        current_context: name,
        users: [NamedEntry {
            name,
            entry: UserEntry {
                user: KubeconfigUser { exec },
            },
        }],
    };
    serde_json::to_string(&config).expect("the configuration has text keys only")
}

/// Registers the Kubernetes provider, which depends on the administrator's access. Its identifier is the ARN
/// of the cluster, so that a changed kubeconfig does not replace objects in the cluster.
///
/// It depends on the system nodes. The administrator's entry takes effect up to 30 seconds after its
/// creation; the provider reads the API once, and after a refusal it treats the cluster as unreachable until
/// the end of the update. Nodes take longer than that, and nearly all objects depend on them anyway.
pub(super) fn provider(
    scope: &Scope,
    kubeconfig: &Output<String>,
    control_plane: &Resource,
    administrator: &Resource,
    system_nodes: &Resource,
) -> Resource {
    let properties = properties! {
        "kubeconfig": kubeconfig.clone(),
        "clusterIdentifier": control_plane.output::<String>("arn"),
        "suppressHelmHookWarnings": true,
        // Objects that are deleted with the control plane leave the state even if AWS then refuses to delete it.
        "upsertExistingObjects": true,
    };
    let options = ChildOptions::below(control_plane).depends_on([control_plane, administrator, system_nodes]);
    scope.register(
        "pulumi:providers:kubernetes",
        format!("{}-k8s-provider", scope.name()),
        properties,
        options,
    )
}
