//! Inputs and outputs that several functions of the specification share.

use netmgr_types::InvalidProperty;
use netmgr_types::shapes::{
    ContextInput, ContextOutput, ExclusiveInput, NamedInput, NamedOutput, PolicyInput, PolicyOutput,
    TenantContext,
};
use netmgr_types::wire::{ManagedObject, ManagerObject, PolicyObject};

use crate::plan::{InputSelectors, Plan, in_context, named};
use crate::read::{ObjectKind, Read, Scope};
use crate::selection::NameRule;

/// Inputs that several functions of the specification share.
pub(crate) trait SharedInput {
    /// The plan of a function with these inputs.
    fn plan<T: ManagedObject>(
        &self,
        kind: &'static ObjectKind,
        scope: &Scope,
    ) -> Result<Plan<T>, Vec<InvalidProperty>>;

    /// The context, which outputs repeat.
    fn context(&self) -> Option<TenantContext>;
}

impl SharedInput for NamedInput {
    fn plan<T: ManagedObject>(
        &self,
        kind: &'static ObjectKind,
        scope: &Scope,
    ) -> Result<Plan<T>, Vec<InvalidProperty>> {
        named(kind, NameRule::Exact, self, scope)
    }

    fn context(&self) -> Option<TenantContext> {
        None
    }
}

impl SharedInput for PolicyInput {
    fn plan<T: ManagedObject>(
        &self,
        kind: &'static ObjectKind,
        scope: &Scope,
    ) -> Result<Plan<T>, Vec<InvalidProperty>> {
        named(kind, NameRule::ExactOrPrefix, self, scope)
    }

    fn context(&self) -> Option<TenantContext> {
        None
    }
}

impl SharedInput for ExclusiveInput {
    fn plan<T: ManagedObject>(
        &self,
        kind: &'static ObjectKind,
        scope: &Scope,
    ) -> Result<Plan<T>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::from(self);
        let read = Read::new(kind, scope, selectors.exclusive()?);
        Ok(Plan::new(read, selectors.choose(NameRule::ExactOrPrefix)))
    }

    fn context(&self) -> Option<TenantContext> {
        None
    }
}

impl SharedInput for ContextInput {
    fn plan<T: ManagedObject>(
        &self,
        kind: &'static ObjectKind,
        scope: &Scope,
    ) -> Result<Plan<T>, Vec<InvalidProperty>> {
        in_context(kind, self, scope)
    }

    fn context(&self) -> Option<TenantContext> {
        self.context.clone()
    }
}

/// Outputs that several functions of the specification share.
pub trait SharedOutput {
    /// Object that the manager sends.
    type Object;

    /// The output for `object`, with the context from the input.
    fn of(object: Self::Object, context: Option<TenantContext>) -> Self;
}

impl SharedOutput for NamedOutput {
    type Object = ManagerObject;

    fn of(object: ManagerObject, _: Option<TenantContext>) -> Self {
        object.into()
    }
}

impl SharedOutput for PolicyOutput {
    type Object = PolicyObject;

    fn of(object: PolicyObject, _: Option<TenantContext>) -> Self {
        object.into()
    }
}

impl SharedOutput for ContextOutput {
    type Object = PolicyObject;

    fn of(object: PolicyObject, context: Option<TenantContext>) -> Self {
        Self::new(object, context)
    }
}
