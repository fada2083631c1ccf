//! The contexts that functions have: a project, a VPC, or the global manager.

use netmgr_types::shapes::{GlobalContext, ProjectContext, TenantContext, VpcContext, given, segment};
use netmgr_types::{Deployment, InvalidProperty};

use crate::finding::tree::Tree;

pub(crate) trait InputContext {
    /// The tree that the context names. `None` if there is no context.
    ///
    /// # Errors
    ///
    /// Returns the problem with the context.
    fn tree(&self, deployment: Deployment) -> Result<Option<Tree>, InvalidProperty>;
}

impl<C: InputContext> InputContext for Option<C> {
    fn tree(&self, deployment: Deployment) -> Result<Option<Tree>, InvalidProperty> {
        match self {
            Some(context) => context.tree(deployment),
            None => Ok(None),
        }
    }
}

impl InputContext for TenantContext {
    fn tree(&self, _: Deployment) -> Result<Option<Tree>, InvalidProperty> {
        self.validate()?;
        Ok(Some(Tree::Project(self.project_id.clone())))
    }
}

impl InputContext for ProjectContext {
    fn tree(&self, _: Deployment) -> Result<Option<Tree>, InvalidProperty> {
        segment("context.projectId", &self.project_id)?;
        Ok(Some(Tree::Project(self.project_id.clone())))
    }
}

impl InputContext for VpcContext {
    fn tree(&self, _: Deployment) -> Result<Option<Tree>, InvalidProperty> {
        segment("context.projectId", &self.project_id)?;
        segment("context.vpcId", &self.vpc_id)?;
        Ok(Some(Tree::Vpc {
            project: self.project_id.clone(),
            vpc: self.vpc_id.clone(),
        }))
    }
}

impl InputContext for GlobalContext {
    fn tree(&self, deployment: Deployment) -> Result<Option<Tree>, InvalidProperty> {
        let is_global = self.from_global.unwrap_or_default();
        match given(&self.project_id) {
            Some(_) if is_global => Err(InvalidProperty::new(
                "context.projectId",
                "cannot be combined with `context.fromGlobal`",
            )),
            Some(project) => TenantContext::project(project).tree(deployment),
            None if is_global && deployment != Deployment::GlobalManager => Ok(Some(Tree::GlobalOnLocal)),
            None => Ok(None),
        }
    }
}
