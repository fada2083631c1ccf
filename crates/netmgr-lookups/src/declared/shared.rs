//! Inputs and outputs that several functions of the specification share.

use netmgr_types::InvalidProperty;
use netmgr_types::shapes::{
    ContextInput, ContextOutput, ExclusiveInput, NamedInput, NamedOutput, PolicyInput, PolicyOutput,
    TenantContext,
};
use netmgr_types::wire::ManagedObject;

use crate::plan::{InputSelectors, Plan, in_context, named};
use crate::read::{ObjectKind, Read, Scope};
use crate::selection::NameRule;

/// Inputs that several functions of the specification share.
pub(crate) trait SharedInput {
    /// The plan of a function with these inputs.
    fn plan(&self, kind: &'static ObjectKind, scope: &Scope) -> Result<Plan, Vec<InvalidProperty>>;

    /// The context, which outputs repeat.
    fn context(&self) -> Option<TenantContext>;
}

impl SharedInput for NamedInput {
    fn plan(&self, kind: &'static ObjectKind, scope: &Scope) -> Result<Plan, Vec<InvalidProperty>> {
        named(kind, NameRule::Exact, self, scope)
    }

    fn context(&self) -> Option<TenantContext> {
        None
    }
}

impl SharedInput for PolicyInput {
    fn plan(&self, kind: &'static ObjectKind, scope: &Scope) -> Result<Plan, Vec<InvalidProperty>> {
        named(kind, NameRule::ExactOrPrefix, self, scope)
    }

    fn context(&self) -> Option<TenantContext> {
        None
    }
}

impl SharedInput for ExclusiveInput {
    fn plan(&self, kind: &'static ObjectKind, scope: &Scope) -> Result<Plan, Vec<InvalidProperty>> {
        let selectors = InputSelectors::from(self);
        let read = Read::new(kind, scope, selectors.exclusive()?);
        Ok(Plan::new(read, selectors.choose(NameRule::ExactOrPrefix)))
    }

    fn context(&self) -> Option<TenantContext> {
        None
    }
}

impl SharedInput for ContextInput {
    fn plan(&self, kind: &'static ObjectKind, scope: &Scope) -> Result<Plan, Vec<InvalidProperty>> {
        in_context(kind, self, scope)
    }

    fn context(&self) -> Option<TenantContext> {
        self.context.clone()
    }
}

/// Outputs that several functions of the specification share.
pub(crate) trait SharedOutput {
    /// The output for `object`, with the context from the input.
    fn of(object: &ManagedObject, context: Option<TenantContext>) -> Self;
}

impl SharedOutput for NamedOutput {
    fn of(object: &ManagedObject, _: Option<TenantContext>) -> Self {
        object.into()
    }
}

impl SharedOutput for PolicyOutput {
    fn of(object: &ManagedObject, _: Option<TenantContext>) -> Self {
        object.into()
    }
}

impl SharedOutput for ContextOutput {
    fn of(object: &ManagedObject, context: Option<TenantContext>) -> Self {
        Self::new(object, context)
    }
}
