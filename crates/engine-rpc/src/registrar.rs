//! The engine as `engine-components` sees it, over the engine's monitor and log.

use std::time::Duration;

use engine_components::{self as sdk, Asked, Registrar, RegistrarError};
use engine_values::{Object, Urn};
use futures_util::FutureExt as _;

use crate::log::{EngineLog, LogMessage, Severity};
use crate::messages::ConstructRequest;
use crate::monitor::{
    Invocation, Invoked, Monitor, MonitorError, Outcome, Registered, Registration, ResourceKind,
};
use crate::resource::{Alias, AliasParent, CustomTimeouts, ResourceOptions};

/// What one component registers itself and its children with.
pub(crate) struct MonitorRegistrar {
    monitor: Monitor,
    log: EngineLog,
    component: Component,
    stack_trace_handle: String,
}

/// The component that is built.
struct Component {
    token: String,
    name: String,
    parent: Option<Urn>,
    /// What the program gave it, with options that are of no use to a child.
    options: ResourceOptions,
}

impl MonitorRegistrar {
    /// A registrar for the component of `request`.
    pub(crate) fn new(monitor: Monitor, log: EngineLog, request: &ConstructRequest) -> Self {
        Self {
            monitor,
            log,
            component: Component {
                token: request.resource_type.clone(),
                name: request.name.clone(),
                parent: request.parent.clone(),
                options: request.options.clone(),
            },
            stack_trace_handle: request.stack_trace_handle.clone(),
        }
    }

    fn registration(&self, registration: sdk::Registration) -> Registration {
        let options = if self.component.is(&registration) {
            self.component.options.clone()
        } else {
            let mut options = options(&registration);
            options
                .aliases
                .extend(self.component.former_names(&registration.name));
            options
        };
        let dependencies = registration.property_dependencies.into_iter();
        Registration {
            resource_type: registration.token,
            name: registration.name,
            kind: if registration.custom {
                ResourceKind::Custom
            } else {
                ResourceKind::Component
            },
            parent: registration.parent,
            inputs: registration.inputs,
            property_dependencies: dependencies
                .map(|(property, urns)| (property, urns.into_iter().collect()))
                .collect(),
            options,
            provider: registration.provider,
            version: registration.settings.version,
            plugin_download_url: registration.settings.plugin_download_url,
            hide_diffs: Vec::new(),
            parent_stack_trace_handle: self.stack_trace_handle.clone(),
        }
    }
}

impl Component {
    /// Whether a registration is the component's own. Nothing inside it has its parent.
    fn is(&self, registration: &sdk::Registration) -> bool {
        !registration.custom
            && registration.token == self.token
            && registration.name == self.name
            && registration.parent == self.parent
    }

    /// What a child was called while the component had another name: names of children start with the
    /// component's. The engine infers that from the parent's name alone, which is of no use to a child
    /// whose parent is another child.
    fn former_names(&self, child: &str) -> Vec<Alias> {
        let Some(rest) = child.strip_prefix(self.name.as_str()) else {
            return Vec::new();
        };
        let names = self.options.aliases.iter().filter_map(|alias| match alias {
            Alias::Urn(urn) => urn.parts().ok().map(|parts| parts.name.to_owned()),
            Alias::Spec { name, .. } => name.clone(),
        });
        names
            .filter(|name| *name != self.name)
            .map(|name| Alias::Spec {
                name: Some(name + rest),
                resource_type: None,
                stack: None,
                project: None,
                parent: None,
            })
            .collect()
    }
}

impl Registrar for MonitorRegistrar {
    fn register(&self, registration: sdk::Registration) -> Asked<sdk::Registered> {
        let (monitor, registration) = (self.monitor.clone(), self.registration(registration));
        async move {
            monitor
                .register(registration)
                .await
                .map(registered)
                .map_err(refused)
        }
        .boxed()
    }

    fn register_outputs(&self, urn: Urn, outputs: Object) -> Asked<()> {
        let monitor = self.monitor.clone();
        async move { monitor.register_outputs(&urn, outputs).await.map_err(refused) }.boxed()
    }

    fn call(&self, call: sdk::Call) -> Asked<sdk::Called> {
        let monitor = self.monitor.clone();
        let invocation = Invocation {
            token: call.token,
            arguments: call.arguments,
            provider: call.provider,
            version: call.version,
            plugin_download_url: call.plugin_download_url,
            depends_on: Vec::new(),
            parent: call.parent,
            parent_stack_trace_handle: self.stack_trace_handle.clone(),
        };
        async move { monitor.invoke(invocation).await.map(called).map_err(refused) }.boxed()
    }

    fn log(&self, message: sdk::Message) -> Asked<()> {
        let log = self.log.clone();
        let severity = match message.severity {
            sdk::Severity::Info => Severity::Info,
            sdk::Severity::Warning => Severity::Warning,
        };
        let message = LogMessage {
            urn: message.urn,
            ..LogMessage::new(severity, message.text)
        };
        async move {
            log.send(message).await;
            Ok(())
        }
        .boxed()
    }
}

/// Options of a child.
fn options(registration: &sdk::Registration) -> ResourceOptions {
    let settings = registration.settings.clone();
    ResourceOptions {
        aliases: settings.aliases.into_iter().map(alias).collect(),
        dependencies: registration.dependencies.iter().cloned().collect(),
        protect: settings.protect,
        retain_on_delete: settings.retain_on_delete,
        delete_before_replace: settings.delete_before_replace,
        providers: registration.providers.clone(),
        additional_secret_outputs: settings.additional_secret_outputs,
        ignore_changes: settings.ignore_changes,
        replace_on_changes: settings.replace_on_changes,
        custom_timeouts: CustomTimeouts {
            create: settings.timeouts.create.map(go_duration),
            update: settings.timeouts.update.map(go_duration),
            delete: settings.timeouts.delete.map(go_duration),
            read: None,
        },
        deleted_with: registration.deleted_with.clone(),
        ..ResourceOptions::default()
    }
}

fn alias(alias: sdk::Alias) -> Alias {
    match alias {
        sdk::Alias::Urn(urn) => Alias::Urn(urn),
        sdk::Alias::Spec { name, token, parent } => Alias::Spec {
            name,
            resource_type: token,
            stack: None,
            project: None,
            parent: parent.map(AliasParent::Urn),
        },
    }
}

/// A duration in Go's syntax; it takes fractions and any number of seconds.
fn go_duration(duration: Duration) -> String {
    format!("{}s", duration.as_secs_f64())
}

/// A resource that failed or was skipped while the deployment goes on has outputs that nobody knows; the
/// engine has told the user, and skips what depends on it.
fn registered(answer: Registered) -> sdk::Registered {
    sdk::Registered {
        urn: answer.urn,
        id: answer.id,
        outputs: answer.outputs,
        unknown: answer.unknown || answer.outcome != Outcome::Succeeded,
    }
}

fn called(answer: Invoked) -> sdk::Called {
    match answer {
        Invoked::Known(result) => sdk::Called {
            result,
            unknown: false,
        },
        Invoked::Unknown => sdk::Called {
            result: Object::new(),
            unknown: true,
        },
    }
}

fn refused(error: MonitorError) -> RegistrarError {
    match error {
        MonitorError::Gone(_) => RegistrarError::ShutDown,
        error => RegistrarError::Refused {
            reason: error.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_the_engine_did_not_make_is_unknown() {
        assert!(called(Invoked::Unknown).unknown);
        assert!(!called(Invoked::Known(Object::new())).unknown);
    }

    #[test]
    fn durations_are_written_as_go_reads_them() {
        let cases = [
            (Duration::from_secs(1800), "1800s"),
            (Duration::from_millis(1500), "1.5s"),
            (Duration::from_nanos(1), "0.000000001s"),
        ];
        for (duration, expected) in cases {
            assert_eq!(go_duration(duration), expected);
        }
    }
}
