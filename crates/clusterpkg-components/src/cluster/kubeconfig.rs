//! The configuration for clients of the cluster, and the provider made from it.

use engine_components::{Options, Output, Problems, Resource, Scope, all, properties, record};
use serde::Serialize;

use crate::check;
use crate::cluster::inputs::ClusterInputs;
use crate::cluster::kubeconfig::identity::Identity;

mod identity;

record! {
    /// As whom clients of the cluster get their tokens. An addition to the specification.
    pub struct KubeconfigOptions {
        /// Profile of the cloud's command line tool. Default: that of the stack's configuration (`aws:profile`), unless
        /// the component is given an AWS provider of its own.
        #[schemars(extend("minLength" = 1))]
        pub profile_name: Option<Output<String>>,
        /// ARN of a role to assume for tokens. Default: the one role of the stack's configuration (`aws:assumeRoles`),
        /// unless the component is given an AWS provider of its own.
        #[schemars(extend("pattern" = check::ROLE))]
        pub role_arn: Option<Output<String>>,
    }
}

impl KubeconfigOptions {
    pub(super) fn check(&self, problems: &mut Problems) {
        if let Some(profile) = &self.profile_name {
            check::length("kubeconfigOptions.profileName", profile, 1, usize::MAX, problems);
        }
        let rule = "must be the ARN of a role, such as arn:aws:iam::123456789012:role/deployer";
        let role = self.role_arn.as_ref();
        check::form(
            "kubeconfigOptions.roleArn",
            role,
            check::is_role_arn,
            rule,
            problems,
        );
    }
}

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
    context: KubeContext<'a>,
}

#[derive(Serialize)]
struct KubeContext<'a> {
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
    args: Vec<&'a str>,
    interactive_mode: &'static str,
}

/// The configuration as JSON, secret as a whole. It names region and cluster, and profile and role if there are any, so
/// it works on any machine that has the profile and whose user may get in.
pub(super) fn kubeconfig(
    scope: &Scope,
    inputs: &ClusterInputs,
    region: &Output<String>,
    control_plane: &Resource,
) -> Output<String> {
    let name = scope.name().to_owned();
    let identity = Identity::of(scope, inputs.kubeconfig_options.as_ref());
    let parts = (
        all((region.clone(), identity)),
        control_plane.output("name"),
        control_plane.output("endpoint"),
        control_plane.output("certificateAuthority.data"),
    );
    let text = all(parts).map(move |parts: ((String, Identity), String, String, String)| {
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

/// Arguments of the cloud's tool. A profile that is named wins over credentials in the environment.
fn token_command<'a>(region: &'a str, cluster: &'a str, identity: &'a Identity) -> Vec<&'a str> {
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
    let server = Server {
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
        clusters: [Named {
            name,
            entry: ClusterEntry { cluster: server },
        }],
        contexts: [Named {
            name,
            entry: ContextEntry {
                context: KubeContext {
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
///
/// It waits for the system nodes. The administrator's entry takes effect up to 30 seconds after it is made; the provider
/// reads the API once, and after a refusal it takes the cluster for unreachable until the update ends. Nodes take longer
/// than that, and nearly everything in the cluster waits for them anyway.
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
    };
    let options = Options::below(control_plane).depends_on([control_plane, administrator, system_nodes]);
    scope.register(
        "pulumi:providers:kubernetes",
        format!("{}-k8s-provider", scope.name()),
        properties,
        options,
    )
}
