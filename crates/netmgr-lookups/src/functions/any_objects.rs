//! The functions about policy objects of any type, which have their own files.

use super::get_policy_object::GetPolicyObject;
use super::get_policy_objects::GetPolicyObjects;
use super::get_policy_references::GetPolicyReferences;
use crate::registry::Entry;

/// Functions about objects of any type.
pub(super) const ENTRIES: &[Entry] = &[
    Entry::of::<GetPolicyObject>(),
    Entry::of::<GetPolicyObjects>(),
    Entry::of::<GetPolicyReferences>(),
];
