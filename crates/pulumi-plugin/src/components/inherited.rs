//! Options that children inherit from their parents.

use crate::components::registration::ResourceOptions;
use crate::components::transform::Transform;

impl ResourceOptions {
    /// Inherits options that are not set from the parent. Engines since 3.157 and 3.158 do the same.
    pub(crate) fn inherit(&mut self, parent: &Inherited) {
        self.protect = self.protect.or(parent.protect);
        self.retain_on_delete = self.retain_on_delete.or(parent.retain_on_delete);
    }

    /// The options that children inherit from a resource with these options and transforms.
    pub(crate) fn inherited(&self, transforms: Vec<Transform>) -> Inherited {
        Inherited {
            protect: self.protect,
            retain_on_delete: self.retain_on_delete,
            transforms,
        }
    }
}

/// Options that a child inherits from its parent. Its own settings of protection and retention take precedence;
/// transforms are added to its own.
#[derive(Clone, Default)]
pub(crate) struct Inherited {
    protect: Option<bool>,
    retain_on_delete: Option<bool>,
    pub(crate) transforms: Vec<Transform>,
}

impl Inherited {
    /// With the protection of another resource. It is explicit, because engines would copy that of the parent.
    pub(crate) fn protected_as(self, other: &Self) -> Self {
        Self {
            protect: Some(other.protect.unwrap_or(false)),
            ..self
        }
    }
}
