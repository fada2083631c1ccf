//! The calls of the engine. Components are constructed by `pulumi-plugin`.

use std::borrow::Cow;

use clusterpkg_components::ALL;
use pulumi_plugin::rpc::{
    ConstructRequest, Constructed, Context, Error, Monitor, Provider, construct_component,
};

/// The package schema: generated, committed, and what programs' SDKs are made from.
const SCHEMA: &str = include_str!("../../../../../schema/clusterpkg.package.json");

/// The provider. It has no configuration and keeps nothing between calls.
pub(crate) struct Clusterpkg;

impl Provider for Clusterpkg {
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        Ok(SCHEMA.into())
    }

    async fn construct(
        &self,
        cx: &Context,
        request: ConstructRequest,
        monitor: Monitor,
    ) -> Result<Constructed, Error> {
        let Some(component) = ALL.iter().find(|entry| entry.token == request.resource_type) else {
            let known: Vec<_> = ALL.iter().map(|entry| entry.token).collect();
            return Err(Error::Failed(format!(
                "{} is not a component of this package; the components are {}",
                request.resource_type,
                known.join(", ")
            )));
        };
        construct_component(cx, component, request, monitor).await
    }
}
