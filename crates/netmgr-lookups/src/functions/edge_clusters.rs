//! The edge cluster of a gateway. Gateways do not contain it; their locale services do.

use std::sync::Arc;

use netmgr_types::Deployment;
use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, Read};
use crate::finding::rows::RowSource;
use crate::finding::tree::Tree;

const LOCALE_SERVICE: ObjectKind = ObjectKind::nested("locale service", "LocaleServices", "locale-services");

/// Adds `edge_cluster_path` to a gateway: the path of its default locale service or, if there is none, of the first
/// locale service with an edge cluster. A gateway of a global manager has several edge clusters, so it gets none.
pub(crate) async fn edge_cluster(
    cx: &LookupContext<'_>,
    gateway: &mut ManagedObject,
    wanted: &Option<String>,
) -> Result<(), Error> {
    let path = gateway.path().unwrap_or_default().to_owned();
    let tree = Tree::around(&path, cx.scope.deployment);
    let Some(tree) = tree.filter(|_| cx.scope.deployment != Deployment::GlobalManager) else {
        return Ok(());
    };
    let read = Read::new(&LOCALE_SERVICE, cx.scope, By::All);
    let read = Arc::new(read.within(tree).below("gateway", path.clone()));
    let keep = |service: &ManagedObject| {
        let edges = service.text("edge_cluster_path").unwrap_or_default();
        Some((
            service.id() != "default",
            edges.is_empty(),
            service.id().to_owned(),
            edges.to_owned(),
        ))
    };
    // Searches for many gateways share one request. The index lags behind the store, so the list confirms that there
    // are no locale services.
    let mut services = cx
        .collect_from(RowSource::Search, &read, keep)
        .await
        .unwrap_or_default();
    if services.is_empty() {
        services = cx.collect(&read, keep).await?;
    }
    let edges = services
        .into_iter()
        .min()
        .map(|(.., edges)| edges)
        .unwrap_or_default();
    if let Some(wanted) = given(wanted).filter(|wanted| wanted.trim_end_matches('/') != edges) {
        let what = format!(
            "the gateway {} has `edgeClusterPath` {}, not {}",
            cx.sanitized(&path),
            cx.quoted(&edges),
            cx.quoted(wanted)
        );
        return Err(cx.not_found(what, None, None));
    }
    gateway.set("edge_cluster_path", edges);
    Ok(())
}
