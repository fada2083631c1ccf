//! Names of resources and references to providers.

use std::fmt;
use std::str::FromStr;

use crate::values::Unknown;

const PREFIX: &str = "urn:pulumi:";

/// The engine's name for a resource.
///
/// Opaque: a plugin passes on URNs without changes, so any text is accepted. Use [`Urn::parts`] to parse it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Urn(String);

/// The parts of an [`Urn`]: `urn:pulumi:<stack>::<project>::<type chain>::<name>`.
///
/// `Display` joins the parts. Only simulated engines create URNs; components use those that the engine
/// returns.
///
/// ```
/// use pulumi_plugin::values::{Urn, UrnParts};
///
/// let cluster = Urn::from("urn:pulumi:dev::shop::clusterpkg:index:Cluster$aws:eks/cluster:Cluster::main::a");
/// let parts = cluster.parts()?;
/// assert_eq!(parts.resource_type(), "aws:eks/cluster:Cluster");
/// assert_eq!(parts.name, "main::a");
/// assert_eq!(Urn::from(parts.to_string()), cluster);
/// # Ok::<(), pulumi_plugin::values::NotAUrn>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UrnParts<'a> {
    /// The stack being deployed.
    pub stack: &'a str,
    /// The project.
    pub project: &'a str,
    /// Type tokens of the parents and of the resource itself, outermost first, joined by `$`. The type of the
    /// stack is omitted.
    pub type_chain: &'a str,
    /// Logical name. It may contain `::`.
    pub name: &'a str,
}

impl Urn {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the text is empty, which means "none" in the protocol.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Splits the URN into its parts.
    ///
    /// # Errors
    /// [`NotAUrn`] if the prefix or one of the three separators is missing.
    pub fn parts(&self) -> Result<UrnParts<'_>, NotAUrn> {
        let mut parts = self.0.strip_prefix(PREFIX).unwrap_or_default().splitn(4, "::");
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(stack), Some(project), Some(type_chain), Some(name)) => Ok(UrnParts {
                stack,
                project,
                type_chain,
                name,
            }),
            _ => Err(NotAUrn(self.0.clone())),
        }
    }
}

impl<'a> UrnParts<'a> {
    /// The resource's own type token.
    #[must_use]
    pub fn resource_type(&self) -> &'a str {
        self.type_chain
            .rsplit_once('$')
            .map_or(self.type_chain, |(_, own)| own)
    }
}

impl fmt::Display for UrnParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{PREFIX}{}::{}::{}::{}",
            self.stack, self.project, self.type_chain, self.name
        )
    }
}

impl From<String> for Urn {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Urn {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<Urn> for String {
    fn from(urn: Urn) -> Self {
        urn.0
    }
}

impl fmt::Display for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Text that is not a URN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a resource URN")]
pub struct NotAUrn(String);

/// A reference to a provider resource, written `<urn>::<id>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProviderReference {
    /// The provider resource.
    pub urn: Urn,
    /// Its id; `None` in a preview before it exists.
    pub id: Option<String>,
}

impl fmt::Display for ProviderReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id.as_deref().unwrap_or(Unknown::String.sentinel());
        write!(f, "{}::{id}", self.urn)
    }
}

impl FromStr for ProviderReference {
    type Err = NotAProviderReference;

    /// Splits at the last `::`, which the id of a provider does not contain.
    fn from_str(text: &str) -> Result<Self, NotAProviderReference> {
        let (urn, id) = text
            .rsplit_once("::")
            .ok_or_else(|| NotAProviderReference(text.to_owned()))?;
        let unknown = id.is_empty() || Unknown::from_sentinel(id).is_some();
        Ok(Self {
            urn: urn.into(),
            id: (!unknown).then(|| id.to_owned()),
        })
    }
}

/// Text that is not a reference to a provider.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a provider reference")]
pub struct NotAProviderReference(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_separators_stays_whole() {
        let urn = Urn::from("urn:pulumi:dev::shop::pkg:index:A$pkg:index:B::x::y::z");
        let parts = urn.parts().unwrap();
        assert_eq!(
            (parts.stack, parts.project, parts.name),
            ("dev", "shop", "x::y::z")
        );
        assert_eq!(parts.type_chain, "pkg:index:A$pkg:index:B");
        assert_eq!(parts.resource_type(), "pkg:index:B");
        assert_eq!(parts.to_string(), urn.to_string());
    }

    #[test]
    fn text_without_prefix_or_separators_has_no_parts() {
        for text in [
            "",
            "urn:pulumi:",
            "urn:pulumi:a::b::c",
            "urn:other:a::b::c::d",
            "a::b::c::d",
        ] {
            assert_eq!(Urn::from(text).parts(), Err(NotAUrn(text.to_owned())));
        }
    }

    #[test]
    fn a_provider_reference_splits_at_the_last_separator() {
        let text = "urn:pulumi:dev::shop::pulumi:providers:aws::main::0f3c";
        let reference: ProviderReference = text.parse().unwrap();
        assert_eq!(reference.urn.parts().unwrap().name, "main");
        assert_eq!(reference.id.as_deref(), Some("0f3c"));
        assert_eq!(reference.to_string(), text);
    }

    #[test]
    fn a_provider_that_does_not_exist_yet_is_written_with_the_sentinel() {
        let urn = Urn::from("urn:pulumi:dev::shop::pulumi:providers:aws::main");
        let reference = ProviderReference {
            urn: urn.clone(),
            id: None,
        };
        let text = reference.to_string();
        assert_eq!(text, format!("{urn}::04da6b54-80e4-46f7-96ec-b56ff0331ba9"));
        assert_eq!(text.parse(), Ok(reference.clone()));
        assert_eq!(format!("{urn}::").parse(), Ok(reference));
        assert_eq!(
            "none".parse::<ProviderReference>(),
            Err(NotAProviderReference("none".into()))
        );
    }
}
