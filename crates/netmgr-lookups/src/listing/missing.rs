//! Why a list is empty.

use super::Pages;
use crate::error::Error;
use crate::project;
use crate::sentences;

impl Pages<'_> {
    /// The error of a list that is empty because its project, VPC or parent does not exist.
    pub(super) async fn missing_owner(&mut self) -> Option<Error> {
        if self.left < self.options.limit.unwrap_or(usize::MAX) {
            return None;
        }
        let reading = self.reading.as_mut()?;
        let failed = reading.failed.take();
        let plan = reading.plan.plan();
        let nothing = sentences::nothing(&self.cx, plan, None);
        project::missing(&self.cx, plan.read(), nothing, failed).await
    }
}
