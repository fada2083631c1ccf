//! The package of the stand-in, with its schema.

use pulumi_plugin::rpc::InputFailure;
use pulumi_plugin::schema::ChildSchema;
use pulumi_plugin::values::Object;

/// Schemas of the packages, reduced to the parts that the components and tests use.
const SCHEMAS: [(&str, &str); 3] = [
    ("aws", include_str!("../data/providers/aws.package.json")),
    (
        "kubernetes",
        include_str!("../data/providers/kubernetes.package.json"),
    ),
    ("nsxt", include_str!("nsxt.package.json")),
];

/// A package.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    /// Its schema, as returned.
    pub(crate) text: &'static str,
    pub(crate) schema: ChildSchema,
}

impl Package {
    /// The package of this name, if it is a known one.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (name, text) = *SCHEMAS.iter().find(|(known, _)| *known == name)?;
        let schema = ChildSchema::parse(text).ok()?;
        Some(Self { name, text, schema })
    }

    /// The problems of a provider's configuration. Its values may be strings of any kind.
    pub(crate) fn config_failures(&self, config: &Object) -> Vec<InputFailure> {
        let provider = format!("pulumi:providers:{}", self.name);
        let known = self
            .schema
            .resource(&provider)
            .map(|provider| &provider["inputProperties"]);
        config
            .keys()
            .filter(|name| *name != "version" && known.is_none_or(|known| known.get(*name).is_none()))
            .map(|name| InputFailure::new(name.as_str(), "is not a setting"))
            .collect()
    }
}
