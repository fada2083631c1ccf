//! Constructors that declare a kind in one line. Paths, types and parameters are those of the VMware NSX REST API
//! reference.

use super::collection::ListFilter::Accepted;
use super::collection::{CollectionKind, ListFilter, Paging, Place, Root};
use crate::manager::views::View;

pub(super) const API: &[Root] = &[Root::Api];
pub(super) const ACCESS: &[Root] = &[Root::Access];
pub(super) const INVENTORY: &[Root] = &[Root::Inventory];
pub(super) const LOCAL: &[Root] = &[Root::Infra];
pub(super) const GLOBAL: &[Root] = &[Root::Infra, Root::GlobalInfra];
pub(super) const PROJECTS: &[Root] = &[Root::Infra, Root::Project];
pub(super) const TREES: &[Root] = &[Root::Infra, Root::GlobalInfra, Root::Project];
pub(super) const EVERY_TREE: &[Root] = &[Root::Infra, Root::GlobalInfra, Root::Project, Root::Vpc];
pub(super) const ORG: &[Root] = &[Root::Org];
pub(super) const ORG_AND_VPC: &[Root] = &[Root::Org, Root::Vpc];
pub(super) const VPC: &[Root] = &[Root::Vpc];

/// A paged list of objects with `id` under the given roots, on every version.
pub(super) const fn kind(
    collection: &'static str,
    roots: &'static [Root],
    resource_type: &'static str,
) -> CollectionKind {
    CollectionKind {
        collection,
        resource_type,
        roots,
        id_field: "id",
        since: [0; 3],
        manager_mode: false,
        filters: &[],
        read_parameters: &[],
        paging: Paging::Cursor,
        place: Place::Collection,
        parts: &[],
        part_parameters: &[],
        embeds: &[],
    }
}

/// The only object of its kind below its parent.
pub(super) const fn single(
    path: &'static str,
    roots: &'static [Root],
    resource_type: &'static str,
) -> CollectionKind {
    CollectionKind {
        place: Place::Single,
        ..kind(path, roots, resource_type)
    }
}

/// A list that is derived from other objects.
pub(super) const fn derived(
    path: &'static str,
    roots: &'static [Root],
    view: View,
    filters: &'static [(&'static str, ListFilter)],
) -> CollectionKind {
    CollectionKind {
        place: Place::Derived(view),
        filters,
        ..kind(path, roots, "")
    }
}

/// An object from the inventory of compute managers, which has `external_id`.
pub(super) const fn inventory(
    collection: &'static str,
    roots: &'static [Root],
    resource_type: &'static str,
    filters: &'static [(&'static str, ListFilter)],
) -> CollectionKind {
    CollectionKind {
        id_field: "external_id",
        filters,
        ..kind(collection, roots, resource_type)
    }
}

pub(super) const fn filtered(
    filters: &'static [(&'static str, ListFilter)],
    kind: CollectionKind,
) -> CollectionKind {
    CollectionKind { filters, ..kind }
}

pub(super) const fn manager_mode(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        manager_mode: true,
        ..kind
    }
}

pub(super) const fn since(version: [u64; 3], kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        since: version,
        ..kind
    }
}

pub(super) const fn with_state(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        parts: &["state"],
        ..kind
    }
}

pub(super) const fn list_only(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        place: Place::ListOnly,
        ..kind
    }
}

pub(super) const fn unpaged(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        paging: Paging::None,
        ..kind
    }
}

pub(super) const fn with_rules(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        embeds: &["rules"],
        filters: &[("include_rule_count", Accepted)],
        ..kind
    }
}

pub(super) const fn with_segment_state(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        filters: &[("segment_type", Accepted)],
        parts: &["state"],
        part_parameters: &["enforcement_point_path", "source"],
        ..kind
    }
}

pub(super) const CERTIFICATE_FILTERS: &[(&str, ListFilter)] =
    &[("type", Accepted), ("node_id", Accepted), ("details", Accepted)];
pub(super) const MEMBER_FILTERS: &[(&str, ListFilter)] = &[("enforcement_point_path", Accepted)];
