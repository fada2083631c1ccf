//! Plans of declared functions: how inputs determine the read and the selection.

use std::mem;

use netmgr_types::InvalidProperty;

use super::context::InputContext;
use crate::finding::plan::{Identifies, InputSelectors, Plan};
use crate::finding::read::{By, FilterCheck, KeyField, ObjectKind, Parent, Read, Scope, Tree};
use crate::finding::selection::{Filter, NameRule};

/// Selection rule of a declared function. An exact name always takes precedence over a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selectors {
    /// By id or by the exact name.
    Exact,
    /// As `Exact`; without inputs, the only object of the collection.
    ExactOrOnly,
    /// By id, by name or by a prefix of the name.
    Prefix,
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
    pub(super) kind: &'static ObjectKind,
    pub(super) scope: &'a Scope,
    /// The tree that the context names, if there is one.
    pub(super) context: Option<Tree>,
    /// The parent that an input names, with the tree that it is in.
    pub(super) parent: Option<(Parent, Option<Tree>)>,
    /// Other objects that inputs name.
    pub(super) mentions: Vec<Parent>,
    /// The input that is the path of the object itself, and its id.
    pub(super) itself: Option<(String, String)>,
    /// Parameters of the list, for the manager.
    pub(super) parameters: Vec<(&'static str, String)>,
    /// The scope of the tag that objects must have.
    pub(super) tag_scope: Option<String>,
    /// The input that identifies the object instead of its id.
    pub(super) key: Option<ObjectKey>,
    pub(super) filters: Vec<Filter>,
    /// Filters that hold by default, unless the object is selected by id.
    pub(super) defaults: Vec<Filter>,
    pub(super) problems: Vec<InvalidProperty>,
}

/// The plan of a function that returns all objects of a kind.
pub(crate) struct FilteredRead {
    pub(super) read: Read,
    pub(super) filters: Vec<Filter>,
}

/// An identifier of an object other than its id.
pub(super) struct ObjectKey {
    /// The input with its value.
    pub(super) input: String,
    pub(super) fields: &'static [KeyField],
    pub(super) value: String,
    pub(super) identifies: Identifies,
}

/// The field that identifies an object of the inventory.
pub(super) const EXTERNAL_ID: &[KeyField] = &[KeyField::Whole("external_id")];

impl<'a> PlanBuilder<'a> {
    pub(crate) fn new(kind: &'static ObjectKind, scope: &'a Scope) -> Self {
        Self {
            kind,
            scope,
            context: None,
            parent: None,
            mentions: Vec::new(),
            itself: None,
            key: None,
            tag_scope: None,
            parameters: Vec::new(),
            filters: Vec::new(),
            defaults: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Checks inputs that do not affect a read.
    pub(crate) fn without_kind(scope: &'a Scope) -> Self {
        const NONE: ObjectKind = ObjectKind::anywhere("object", "");
        Self::new(&NONE, scope)
    }

    /// Reads objects of `kind`.
    pub(crate) fn of_kind(mut self, kind: &'static ObjectKind) -> Self {
        self.kind = kind;
        self
    }

    /// Restricts the read to the context of the declared type `_name`.
    pub(crate) fn with_context(mut self, _name: &str, context: &impl InputContext) -> Self {
        match context.tree(self.scope.deployment) {
            Ok(tree) => self.context = tree,
            Err(problem) => self.problems.push(problem),
        }
        self
    }

    pub(super) fn refuse(&mut self, property: &str, reason: impl Into<String>) {
        self.problems.push(InvalidProperty::new(property, reason));
    }

    /// The tree of objects without a parent.
    pub(super) fn tree(&self) -> Tree {
        self.context
            .clone()
            .unwrap_or_else(|| Tree::of(self.scope.deployment))
    }

    /// The criterion of the read: the path of the object, its key, its id or its name.
    fn by(&self, inputs: &InputSelectors<'_>, selectors: Selectors) -> Result<By, Vec<InvalidProperty>> {
        let may_select_none = match selectors {
            Selectors::ExactOrOnly | Selectors::PrefixOrOnly | Selectors::ExclusiveOrOnly => true,
            Selectors::PrefixOrFilter => !self.filters.is_empty(),
            Selectors::Exact | Selectors::Prefix | Selectors::Exclusive => false,
        };
        match (&self.itself, &self.key) {
            (Some((property, _)), _) if inputs.id.is_some() || inputs.name.is_some() => {
                let reason = "cannot be combined with `id` and `displayName`";
                Err(vec![InvalidProperty::new(property, reason)])
            }
            (Some((_, id)), _) => Ok(By::Id(id.clone())),
            (None, Some(key)) => Ok(By::Key {
                fields: key.fields,
                value: key.value.clone(),
            }),
            (None, None) => {
                if matches!(selectors, Selectors::Exclusive | Selectors::ExclusiveOrOnly) {
                    inputs.check_exclusive()?;
                }
                match inputs.by() {
                    Err(_) if may_select_none => Ok(By::All),
                    Ok(By::Id(value)) if self.kind.is_inventory => Ok(By::Key {
                        fields: EXTERNAL_ID,
                        value,
                    }),
                    by => by,
                }
            }
        }
    }

    /// The read of all objects with this criterion.
    fn read(&mut self, by: By) -> Read {
        let mut read = Read::new(self.kind, self.scope, by).within(self.tree());
        read.mentions = mem::take(&mut self.mentions);
        let Some((parent, tree)) = self.parent.take() else {
            return read;
        };
        read.parent = Some(parent);
        match tree {
            Some(tree) => read.within(tree),
            None => read,
        }
    }

    /// The plan of a list, if the inputs have no problems.
    pub(crate) fn finish_list(mut self) -> Result<FilteredRead, Vec<InvalidProperty>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let mut read = self.read(By::All);
        read.list_filters = self.parameters;
        // Only the manager knows which objects the parameters select.
        read.filter_check = (!read.list_filters.is_empty()).then_some(FilterCheck::NONE);
        Ok(FilteredRead {
            read,
            filters: self.filters,
        })
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
        let by = self.by(&inputs, selectors)?;
        let rule = match selectors {
            Selectors::Exact | Selectors::ExactOrOnly => NameRule::Exact,
            _ => NameRule::ExactOrPrefix,
        };
        let read = self.read(by);
        let mut criteria = inputs.criteria(rule);
        criteria.filters.extend(self.filters);
        if !matches!(read.by, By::Id(_)) {
            criteria.filters.extend(self.defaults);
        }
        let plan = Plan::new(read, criteria);
        Ok(match self.key {
            Some(key) => plan.identified_by(key.input, key.identifies),
            None => plan,
        })
    }
}
