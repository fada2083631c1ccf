//! Kinds of objects on the manager: where they are, and how they are listed and searched.

/// A kind of object on the manager.
#[derive(Debug)]
pub struct ObjectKind {
    /// Name of an object in messages: `IP pool`.
    pub noun: &'static str,
    /// Its `resource_type` on the wire; empty if the collection identifies the kind.
    pub resource_type: &'static str,
    /// Location of the objects.
    pub place: CollectionPlace,
    /// Query parameters of every read by id.
    pub object_query: Query,
    /// Query parameters of every list.
    pub list: Query,
    /// Whether the list accepts paging parameters.
    pub paged: bool,
    /// Whether names are found by a search instead of in the list.
    pub searched: bool,
    /// Whether the objects are part of the inventory that the manager discovers. They have no policy path.
    pub is_inventory: bool,
    /// Whether some objects of this kind are outside the collection, where only the search finds them.
    pub also_outside_collection: bool,
    /// Whether the list needs the enforcement point unless it is the manager's own.
    pub list_needs_enforcement_point: bool,
    /// Whether the objects have ids.
    pub has_ids: bool,
}

pub(crate) type Query = &'static [(&'static str, &'static str)];

/// Location of the objects of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectionPlace {
    /// The collection at this path below the host: `/api/v1/pools/ip-pools`.
    Fixed(&'static str),
    /// This collection directly below the root of a policy tree: `certificates`.
    Infra(&'static str),
    /// This collection directly below a project, next to its policy tree: `vpcs`.
    Project(&'static str),
    /// This collection below an enforcement point of a site, or below the parent of the read:
    /// `edge-clusters`.
    Below(&'static str),
    /// This collection below the parent of the read: `prefix-lists`. Without a parent, only the search finds the
    /// objects.
    Nested(&'static str),
    /// Anywhere below the parent of the read or, without one, in its policy tree. Only the search finds the objects.
    Anywhere,
}

impl CollectionPlace {
    /// The collection; empty if only the search finds the objects.
    #[must_use]
    pub const fn collection(self) -> &'static str {
        match self {
            Self::Fixed(collection)
            | Self::Infra(collection)
            | Self::Project(collection)
            | Self::Below(collection)
            | Self::Nested(collection) => collection,
            Self::Anywhere => "",
        }
    }
}

impl ObjectKind {
    const fn new(
        noun: &'static str,
        resource_type: &'static str,
        place: CollectionPlace,
        searched: bool,
    ) -> Self {
        Self {
            noun,
            resource_type,
            place,
            object_query: &[],
            list: &[],
            paged: true,
            searched,
            is_inventory: false,
            also_outside_collection: false,
            list_needs_enforcement_point: false,
            has_ids: true,
        }
    }

    /// The type of the objects, or the name of their collection if it has objects of several types.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        if !self.resource_type.is_empty() {
            return self.resource_type;
        }
        self.place.collection().rsplit('/').next().unwrap_or_default()
    }

    /// A kind in the collection at a fixed path.
    pub(crate) const fn fixed(
        noun: &'static str,
        resource_type: &'static str,
        collection: &'static str,
    ) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Fixed(collection), false)
    }

    /// A kind directly below the root of a policy tree, found by search.
    pub(crate) const fn infra(
        noun: &'static str,
        resource_type: &'static str,
        collection: &'static str,
    ) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Infra(collection), true)
    }

    /// A kind below an enforcement point or another parent, found by search.
    pub(crate) const fn below(
        noun: &'static str,
        resource_type: &'static str,
        collection: &'static str,
    ) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Below(collection), true)
    }

    /// A kind directly below projects, found by search.
    pub(crate) const fn project(
        noun: &'static str,
        resource_type: &'static str,
        collection: &'static str,
    ) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Project(collection), true)
    }

    /// A kind below parents that inputs name, found by search.
    pub(crate) const fn nested(
        noun: &'static str,
        resource_type: &'static str,
        collection: &'static str,
    ) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Nested(collection), true)
    }

    /// A kind that only the search finds.
    pub(crate) const fn anywhere(noun: &'static str, resource_type: &'static str) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Anywhere, true)
    }

    /// Whether the objects are VPCs, what VPCs use, or only in VPCs. Source: the names of their types.
    pub(crate) fn is_of_vpcs(&self) -> bool {
        self.resource_type.starts_with("Vpc")
    }

    /// The objects are part of the inventory that the manager discovers: the search finds them, and they have no policy
    /// path.
    pub(crate) const fn inventory(mut self) -> Self {
        self.is_inventory = true;
        self
    }

    /// Some objects of the kind are outside the collection, where only the search finds them.
    pub(crate) const fn also_elsewhere(mut self) -> Self {
        self.also_outside_collection = true;
        self
    }

    /// The list needs the enforcement point unless it is the manager's own, as on the hosted cloud.
    pub(crate) const fn of_enforcement_point(mut self) -> Self {
        self.list_needs_enforcement_point = true;
        self
    }

    /// Whether its objects have a policy path.
    #[must_use]
    pub const fn is_policy(&self) -> bool {
        !self.is_inventory && !matches!(self.place, CollectionPlace::Fixed(_))
    }

    /// Whether the search finds its objects. Without a type, it finds only those that are anywhere.
    #[must_use]
    pub const fn is_indexed(&self) -> bool {
        let has_type = !self.resource_type.is_empty() || matches!(self.place, CollectionPlace::Anywhere);
        (self.is_policy() || self.is_inventory) && has_type
    }

    /// Adds query parameters to every read by id.
    pub(crate) const fn by_id_with(mut self, query: Query) -> Self {
        self.object_query = query;
        self
    }

    /// Finds names in the list, and adds query parameters to every list.
    pub(crate) const fn listed_with(mut self, query: Query) -> Self {
        self.list = query;
        self.searched = false;
        self
    }

    /// Adds query parameters to every list. Names are still searched, if there is a search.
    pub(crate) const fn with_list(mut self, query: Query) -> Self {
        self.list = query;
        self
    }

    /// The objects may have no ids.
    pub(crate) const fn without_ids(mut self) -> Self {
        self.has_ids = false;
        self
    }

    /// Sends no paging parameters with the list.
    pub(crate) const fn unpaged(mut self) -> Self {
        self.paged = false;
        self
    }
}
