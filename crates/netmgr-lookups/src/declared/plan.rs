//! Plans of declared functions: how inputs determine the read and the selection.

use netmgr_types::InvalidProperty;

use super::context::InputContext;
use crate::finding::object_kind::ObjectKind;
use crate::finding::plan::{Identifies, InputSelectors, Plan};
use crate::finding::read::{By, FilterCheck, KeyField, Read, Scope};
use crate::finding::selection::{Criteria, Filter, NameRule};
use crate::finding::tree::Tree;

/// Selection rule of a declared function. An exact name always takes precedence over a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selectors {
    /// By id or by the exact name.
    Exact,
    /// As `Exact`; without inputs, the only object of the collection.
    ExactOrOnly,
    /// By id, by name or by a prefix of the name.
    Prefix,
    /// As `Prefix`; without inputs, the only object of the site that another input names.
    PrefixOrOnlyOfSite,
    /// As `Prefix`; without inputs, the only object of the collection.
    PrefixOrOnly,
    /// By id or name, or the only object that another input selects.
    PrefixOrFilter,
    /// By id, name or prefix; id and name cannot be combined.
    Exclusive,
    /// As `Exclusive`; without inputs, the only object of the collection.
    ExclusiveOrOnly,
}

/// Plans the read of a declared function from its inputs.
pub(crate) struct PlanBuilder<'a> {
    pub(super) scope: &'a Scope,
    pub(super) read: Read,
    /// The tree that the context names, if there is one.
    pub(super) context: Option<Tree>,
    /// The input that is the path of the object itself.
    pub(super) itself: Option<String>,
    /// The input that identifies the object instead of its id, with its value.
    pub(super) key: Option<(String, Identifies)>,
    /// The scope of the tag that objects must have.
    pub(super) tag_scope: Option<String>,
    pub(super) filters: Vec<Filter>,
    /// Filters that hold by default, unless the object is selected by id.
    pub(super) defaults: Vec<Filter>,
    pub(super) problems: Vec<InvalidProperty>,
}

/// The kind of functions that read no objects of a kind.
pub(crate) const NO_KIND: &ObjectKind = &ObjectKind::anywhere("object", "");

/// The field that identifies an object of the inventory.
pub(super) const EXTERNAL_ID: &[KeyField] = &[KeyField::Whole("external_id")];

impl<'a> PlanBuilder<'a> {
    pub(crate) fn new(kind: &'static ObjectKind, scope: &'a Scope) -> Self {
        Self {
            scope,
            read: Read::new(kind, scope, By::All),
            context: None,
            itself: None,
            key: None,
            tag_scope: None,
            filters: Vec::new(),
            defaults: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Restricts the read to the context of the declared type `_name`.
    pub(crate) fn with_context(mut self, _name: &str, context: &impl InputContext) -> Self {
        match context.tree(self.scope.deployment) {
            Ok(Some(tree)) => self.move_to(tree),
            Ok(None) => {}
            Err(problem) => self.problems.push(problem),
        }
        self
    }

    /// Restricts the read to `tree`, which the paths of inputs must be in.
    pub(super) fn move_to(&mut self, tree: Tree) {
        self.context = Some(tree.clone());
        self.read.tree = tree;
    }

    pub(super) fn refuse(&mut self, property: &str, reason: impl Into<String>) {
        self.problems.push(InvalidProperty::new(property, reason));
    }

    /// The plan of a list, if the inputs have no problems.
    pub(crate) fn finish_list(mut self) -> Result<Plan, Vec<InvalidProperty>> {
        // Only the manager knows which objects its filters select.
        self.read.filter_check = (!self.read.list_filters.is_empty()).then_some(FilterCheck::NONE);
        let criteria = Criteria {
            name: None,
            filters: self.filters,
        };
        match self.problems.is_empty() {
            true => Ok(Plan::new(self.read, criteria)),
            false => Err(self.problems),
        }
    }

    /// The plan, if the inputs have no problems.
    pub(crate) fn finish(
        mut self,
        inputs: InputSelectors<'_>,
        selectors: Selectors,
    ) -> Result<Plan, Vec<InvalidProperty>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let may_select_none = match selectors {
            Selectors::ExactOrOnly | Selectors::PrefixOrOnly | Selectors::ExclusiveOrOnly => true,
            Selectors::PrefixOrFilter => !self.filters.is_empty(),
            Selectors::PrefixOrOnlyOfSite => self.read.parent.is_some(),
            Selectors::Exact | Selectors::Prefix | Selectors::Exclusive => false,
        };
        match &self.itself {
            Some(property) if inputs.id.is_some() || inputs.name.is_some() => {
                let reason = "cannot be combined with `id` and `displayName`";
                return Err(vec![InvalidProperty::new(property, reason)]);
            }
            None if self.key.is_none() => {
                if matches!(selectors, Selectors::Exclusive | Selectors::ExclusiveOrOnly) {
                    inputs.check_exclusive()?;
                }
                self.read.by = match inputs.by() {
                    Err(_) if may_select_none => By::All,
                    Ok(By::Id(value)) if self.read.kind.is_inventory => By::Key {
                        fields: EXTERNAL_ID,
                        value,
                    },
                    by => by?,
                };
            }
            // The path or the key of the object determines it.
            _ => {}
        }
        let rule = match selectors {
            Selectors::Exact | Selectors::ExactOrOnly => NameRule::Exact,
            _ => NameRule::ExactOrPrefix,
        };
        let mut criteria = inputs.criteria(rule);
        criteria.filters.extend(self.filters);
        if !matches!(self.read.by, By::Id(_)) {
            criteria.filters.extend(self.defaults);
        }
        Ok(Plan {
            key: self.key,
            ..Plan::new(self.read, criteria)
        })
    }
}
