//! The configuration for clients of the cluster, and the provider made from it.

use engine_components::{Options, Output, Resource, Scope, all, properties};
use serde::Serialize;

/// The version of the credential protocol that today's clients and the cloud's tool both speak.
const EXEC_API_VERSION: &str = "client.authentication.k8s.io/v1beta1";

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Kubeconfig<'a> {
    #[serde(rename = "apiVersion")]
    api_version: &'static str,
    kind: &'static str,
    clusters: [Named<'a, ClusterEntry<'a>>; 1],
    contexts: [Named<'a, ContextEntry<'a>>; 1],
    current_context: &'a str,
    users: [Named<'a, UserEntry<'a>>; 1],
}

/// An entry of a list: its name, and a member called like the list.
#[derive(Serialize)]
struct Named<'a, T> {
    name: &'a str,
    #[serde(flatten)]
    entry: T,
}

#[derive(Serialize)]
struct ClusterEntry<'a> {
    cluster: Server<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Server<'a> {
    server: &'a str,
    certificate_authority_data: &'a str,
}

#[derive(Serialize)]
struct ContextEntry<'a> {
    context: Context<'a>,
}

#[derive(Serialize)]
struct Context<'a> {
    cluster: &'a str,
    user: &'a str,
}

#[derive(Serialize)]
struct UserEntry<'a> {
    user: User<'a>,
}

#[derive(Serialize)]
struct User<'a> {
    exec: Exec<'a>,
}

/// The command that gets a token.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Exec<'a> {
    api_version: &'static str,
    command: &'static str,
    args: [&'a str; 8],
    interactive_mode: &'static str,
}

/// The configuration as JSON, secret as a whole. It names region and cluster, so it works on any machine whose
/// user may get in.
pub(super) fn kubeconfig(scope: &Scope, region: &Output<String>, control_plane: &Resource) -> Output<String> {
    let name = scope.name().to_owned();
    let parts = (
        region.clone(),
        control_plane.output("name"),
        control_plane.output("endpoint"),
        control_plane.output("certificateAuthority.data"),
    );
    let text = all(parts).map(move |parts: (String, String, String, String)| {
        let (region, cluster, endpoint, authority) = &parts;
        render(&name, region, cluster, endpoint, authority)
    });
    text.secret()
}

fn render(name: &str, region: &str, cluster: &str, endpoint: &str, authority: &str) -> String {
    let server = Server {
        server: endpoint,
        certificate_authority_data: authority,
    };
    let exec = Exec {
        api_version: EXEC_API_VERSION,
        command: "aws",
        args: [
            "--region",
            region,
            "eks",
            "get-token",
            "--cluster-name",
            cluster,
            "--output",
            "json",
        ],
        interactive_mode: "IfAvailable",
    };
    let config = Kubeconfig {
        api_version: "v1",
        kind: "Config",
        clusters: [Named {
            name,
            entry: ClusterEntry { cluster: server },
        }],
        contexts: [Named {
            name,
            entry: ContextEntry {
                context: Context {
                    cluster: name,
                    user: name,
                },
            },
        }],
        current_context: name,
        users: [Named {
            name,
            entry: UserEntry { user: User { exec } },
        }],
    };
    serde_json::to_string(&config).expect("the configuration has text keys only")
}

/// The provider of the objects in the cluster, while the administrator is one. It is known by the cluster's ARN:
/// a changed configuration updates it and leaves what is in the cluster alone.
pub(super) fn provider(
    scope: &Scope,
    kubeconfig: &Output<String>,
    control_plane: &Resource,
    administrator: &Resource,
) -> Resource {
    let properties = properties! {
        "kubeconfig": kubeconfig.clone(),
        "clusterIdentifier": control_plane.output::<String>("arn"),
        "suppressHelmHookWarnings": true,
    };
    let options = Options::below(control_plane).depends_on([control_plane, administrator]);
    scope.register(
        "pulumi:providers:kubernetes",
        format!("{}-k8s-provider", scope.name()),
        properties,
        options,
    )
}
