//! Conversions between protocol messages and plain types that provider and monitor share. In the protocol, an
//! empty string means "none".

use std::collections::{BTreeMap, BTreeSet};

use crate::values::{DecodeError, NotAProviderReference, ProviderReference, Urn};

use crate::components::{Alias, AliasParent, CustomTimeouts, ResourceHooks};
use crate::rpc::generated::pulumirpc::construct_request::{
    CustomTimeouts as RpcTimeouts, PropertyDependencies, ResourceHooksBinding,
};
use crate::rpc::generated::pulumirpc::{self as rpc, alias};

/// A message violates the protocol.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Malformed {
    #[error("{bag}: {error}: {}", error.kind)]
    Bag { bag: &'static str, error: DecodeError },
    #[error("provider of package {package:?}: {error}")]
    Provider {
        package: String,
        error: NotAProviderReference,
    },
}

/// Adds the name of the property bag to a decoding error.
pub(crate) fn in_bag(bag: &'static str) -> impl FnOnce(DecodeError) -> Malformed {
    move |error| Malformed::Bag { bag, error }
}

pub(crate) fn some_text(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

pub(crate) fn some_urn(text: String) -> Option<Urn> {
    some_text(text).map(Urn::from)
}

pub(crate) fn urns<U: FromIterator<Urn>>(texts: Vec<String>) -> U {
    texts.into_iter().map(Urn::from).collect()
}

pub(crate) fn texts(urns: impl IntoIterator<Item = Urn>) -> Vec<String> {
    urns.into_iter().map(String::from).collect()
}

/// Converts the values of a small map: without sorting, which `collect` compiles for each conversion.
pub(crate) fn convert_values<T, U>(
    map: BTreeMap<String, T>,
    convert: impl Fn(T) -> U,
) -> BTreeMap<String, U> {
    let mut converted = BTreeMap::new();
    converted.extend(map.into_iter().map(|(name, value)| (name, convert(value))));
    converted
}

pub(crate) fn read_dependencies(
    map: BTreeMap<String, PropertyDependencies>,
) -> BTreeMap<String, BTreeSet<Urn>> {
    convert_values(map, |dependencies| urns(dependencies.urns))
}

pub(crate) fn write_dependencies(
    map: BTreeMap<String, BTreeSet<Urn>>,
) -> BTreeMap<String, PropertyDependencies> {
    convert_values(map, |urns| PropertyDependencies { urns: texts(urns) })
}

pub(crate) fn read_providers(
    map: BTreeMap<String, String>,
) -> Result<BTreeMap<String, ProviderReference>, Malformed> {
    map.into_iter()
        .map(|(package, reference)| match reference.parse() {
            Ok(reference) => Ok((package, reference)),
            Err(error) => Err(Malformed::Provider { package, error }),
        })
        .collect()
}

/// The reference to a provider; empty if the engine selects one.
pub(crate) fn write_provider(provider: Option<ProviderReference>) -> String {
    provider.map(|provider| provider.to_string()).unwrap_or_default()
}

pub(crate) fn write_providers(map: BTreeMap<String, ProviderReference>) -> BTreeMap<String, String> {
    convert_values(map, |reference| reference.to_string())
}

/// An alias without content, which later engines may send, is ignored.
pub(crate) fn read_alias(alias: rpc::Alias) -> Option<Alias> {
    Some(match alias.alias? {
        alias::Alias::Urn(urn) => Alias::Urn(urn.into()),
        alias::Alias::Spec(spec) => Alias::Spec {
            name: some_text(spec.name),
            resource_type: some_text(spec.r#type),
            stack: some_text(spec.stack),
            project: some_text(spec.project),
            parent: match spec.parent {
                Some(alias::spec::Parent::ParentUrn(urn)) => Some(AliasParent::Urn(urn.into())),
                Some(alias::spec::Parent::NoParent(true)) => Some(AliasParent::None),
                Some(alias::spec::Parent::NoParent(false)) | None => None,
            },
        },
    })
}

pub(crate) fn write_alias(alias: Alias) -> rpc::Alias {
    let alias = match alias {
        Alias::Urn(urn) => alias::Alias::Urn(urn.into()),
        Alias::Spec {
            name,
            resource_type,
            stack,
            project,
            parent,
        } => alias::Alias::Spec(alias::Spec {
            name: name.unwrap_or_default(),
            r#type: resource_type.unwrap_or_default(),
            stack: stack.unwrap_or_default(),
            project: project.unwrap_or_default(),
            parent: parent.map(|parent| match parent {
                AliasParent::Urn(urn) => alias::spec::Parent::ParentUrn(urn.into()),
                AliasParent::None => alias::spec::Parent::NoParent(true),
            }),
        }),
    };
    rpc::Alias { alias: Some(alias) }
}

impl From<RpcTimeouts> for CustomTimeouts {
    fn from(timeouts: RpcTimeouts) -> Self {
        Self {
            create: some_text(timeouts.create),
            update: some_text(timeouts.update),
            delete: some_text(timeouts.delete),
            read: some_text(timeouts.read),
        }
    }
}

impl From<CustomTimeouts> for RpcTimeouts {
    fn from(timeouts: CustomTimeouts) -> Self {
        Self {
            create: timeouts.create.unwrap_or_default(),
            update: timeouts.update.unwrap_or_default(),
            delete: timeouts.delete.unwrap_or_default(),
            read: timeouts.read.unwrap_or_default(),
        }
    }
}

/// Converts between types with the same members.
macro_rules! same_members {
    ($From:ident => $To:ident: $($member:ident)+) => {
        impl From<$From> for $To {
            fn from($From { $($member),+ }: $From) -> Self {
                Self { $($member),+ }
            }
        }
    };
}

same_members! {
    ResourceHooksBinding => ResourceHooks:
    before_create after_create before_update after_update before_delete after_delete on_error
}
same_members! {
    ResourceHooks => ResourceHooksBinding:
    before_create after_create before_update after_update before_delete after_delete on_error
}
