//! Registration options of children.

use std::time::Duration;

use crate::values::{ProviderReference, Urn};

use crate::components::children::Overlay;
use crate::components::inherited::Inherited;
use crate::components::output::Output;
use crate::components::registration::{Alias, ResourceOptions};
use crate::components::resource::Resource;
use crate::components::transform::{Transform, Transformed};

/// Registration options of a child. The component or the engine provides the defaults.
///
/// A registration waits for all resources in its options.
#[must_use]
#[derive(Clone, Default)]
pub struct ChildOptions {
    pub(crate) parent: Option<ParentResource>,
    pub(crate) provider: Option<Output<ProviderReference>>,
    pub(crate) providers: Vec<(String, Output<ProviderReference>)>,
    pub(crate) depends_on: Vec<Output<Urn>>,
    pub(crate) deleted_with: Option<Output<Urn>>,
    /// Resources that are created before the children of a nested component.
    pub(crate) after: Dependency,
    /// Transforms of the child, followed by the transforms of its parents from the innermost to the outermost.
    pub(crate) transforms: Vec<Transform>,
    /// Own values of the program, merged over the inputs in this order, before transforms.
    pub(crate) overlays: Vec<Overlay>,
    /// Whether protection is its own, and not the protection of its children.
    pub(crate) protects_itself: bool,
    pub(crate) settings: ResourceOptions,
}

/// A child that is the parent of another child.
#[derive(Clone)]
pub(crate) struct ParentResource {
    pub(crate) urn: Output<Urn>,
    pub(crate) inherited: Inherited,
}

/// Dependencies: a resource, or all resources of a nested component.
#[derive(Clone, Default)]
pub struct Dependency(pub(crate) Vec<Output<Urn>>);

impl From<&Resource> for Dependency {
    fn from(resource: &Resource) -> Self {
        Self(vec![resource.urn()])
    }
}

impl From<&Dependency> for Dependency {
    fn from(dependency: &Dependency) -> Self {
        dependency.clone()
    }
}

impl ChildOptions {
    /// Creates default options: a child of the component that is managed by the component's provider.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates options of a child of another child.
    pub fn below(parent: &Resource) -> Self {
        Self {
            parent: Some(ParentResource {
                urn: parent.urn(),
                inherited: parent.inherited.clone(),
            }),
            ..Self::default()
        }
    }

    /// Sets the provider resource that manages it.
    pub fn provider(mut self, provider: &Resource) -> Self {
        self.provider = Some(provider.provider_reference());
        self
    }

    /// Sets the provider resource that manages children of a nested component in `package`.
    pub fn provider_for(mut self, package: &str, provider: &Resource) -> Self {
        self.providers
            .push((package.to_owned(), provider.provider_reference()));
        self
    }

    /// Adds dependencies, which are created earlier and deleted later.
    pub fn depends_on<D: Into<Dependency>>(mut self, others: impl IntoIterator<Item = D>) -> Self {
        for other in others {
            self.depends_on.extend(other.into().0);
        }
        self
    }

    /// Adds resources that are created before children of a nested component. The nested component selects the children
    /// with [`Scope::after`](crate::components::Scope::after).
    pub fn after<D: Into<Dependency>>(mut self, others: impl IntoIterator<Item = D>) -> Self {
        for other in others {
            self.after.0.extend(other.into().0);
        }
        self
    }

    /// Sets the resource whose deletion also deletes this one, so that it is not deleted separately.
    pub fn deleted_with(mut self, other: &Resource) -> Self {
        self.deleted_with = Some(other.urn());
        self
    }

    /// Sets whether it is deleted before its replacement is created.
    pub fn delete_before_replace(mut self, before: bool) -> Self {
        self.settings.delete_before_replace = Some(before);
        self
    }

    /// Ignores changes of the properties at these paths.
    pub fn ignore_changes<S: Into<String>>(mut self, paths: impl IntoIterator<Item = S>) -> Self {
        self.settings
            .ignore_changes
            .extend(paths.into_iter().map(Into::into));
        self
    }

    /// Replaces the child if a property at one of these paths changes.
    pub fn replace_on_changes<S: Into<String>>(mut self, paths: impl IntoIterator<Item = S>) -> Self {
        self.settings
            .replace_on_changes
            .extend(paths.into_iter().map(Into::into));
        self
    }

    /// Adds a former identity, so that a renamed child is not replaced.
    pub fn alias(mut self, alias: Alias) -> Self {
        self.settings.aliases.push(alias);
        self
    }

    /// Adopts the existing resource with this identifier instead of creating one. The engine rejects inputs that differ
    /// from those of the existing resource. Remove the option after the update.
    pub fn import(mut self, id: impl Into<String>) -> Self {
        self.settings.import_id = Some(id.into());
        self
    }

    /// Changes the inputs and options of the child, and of all children below it that this plugin registers, before
    /// they are registered. Transforms of a child run before those of its parents. A nested component is built from its
    /// original inputs. Children of a remote component are registered by another plugin and are not changed.
    pub fn transform(mut self, change: impl Fn(&mut Transformed<'_>) + Send + Sync + 'static) -> Self {
        self.transforms.push(Transform::new(change));
        self
    }

    /// Sets the timeout of its creation.
    pub fn create_timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeouts.create = Some(go_duration(timeout));
        self
    }

    /// Sets the timeout of its deletion.
    pub fn delete_timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeouts.delete = Some(go_duration(timeout));
        self
    }

    /// Sets the version of the child's package. Default: the version in [`Component::PACKAGES`](crate::components::Component::PACKAGES).
    pub fn version(mut self, version: &str) -> Self {
        self.settings.version = Some(version.to_owned());
        self
    }

    /// Sets the download URL of the plugin of its package.
    pub fn plugin_download_url(mut self, url: &str) -> Self {
        self.settings.plugin_download_url = Some(url.to_owned());
        self
    }

    /// Marks outputs as secret in addition to those that the provider marks.
    pub fn additional_secret_outputs<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.settings
            .additional_secret_outputs
            .extend(names.into_iter().map(Into::into));
        self
    }

    /// Sets whether its deletion is rejected. Default: the setting of its parent.
    pub fn protect(mut self, protect: bool) -> Self {
        self.settings.protect = Some(protect);
        self
    }

    /// Rejects its deletion, but not the deletion of its own children, which have the setting of its parent.
    pub fn protect_itself(mut self) -> Self {
        self.settings.protect = Some(true);
        self.protects_itself = true;
        self
    }

    /// Sets whether the resource is kept when it is removed from the state. Default: the setting of its parent.
    pub fn retain_on_delete(mut self, retain: bool) -> Self {
        self.settings.retain_on_delete = Some(retain);
        self
    }
}

/// Formats a duration in Go's syntax, which allows fractions and any number of seconds.
fn go_duration(duration: Duration) -> String {
    format!("{}s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

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
