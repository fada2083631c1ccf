//! Why a list is empty.

use netmgr_transport::Error as RequestError;

use super::Pages;
use crate::error::Error;
use crate::project;
use crate::rows::Source;
use crate::sentences;

impl Pages<'_> {
    /// The error of a list that is empty because its project, VPC or parent does not exist. The search returns nothing
    /// for such a parent, and managers return an empty list for such a project.
    pub(super) async fn missing_owner(&mut self) -> Option<Error> {
        if self.left < self.options.limit.unwrap_or(usize::MAX) {
            return None;
        }
        let reading = self.reading.as_mut()?;
        let plan = reading.plan.plan();
        let nothing = sentences::nothing(&self.cx, plan, None);
        if let Some(missing) = project::missing(&self.cx, &plan.read().tree).await {
            return Some(self.cx.not_found(format!("{nothing}; {missing}"), None, None));
        }
        let failed = match reading.failed.take() {
            None if reading.source == Source::Search => self.refused_list().await,
            failed => failed,
        };
        let reading = self.reading.as_ref()?;
        let missing = sentences::missing_parent(reading.plan.plan().read(), failed.as_ref())?;
        Some(self.cx.not_found(format!("{nothing}: {missing}"), None, failed))
    }

    /// The failure of the list in which a search has found nothing, if it is the list of one parent.
    async fn refused_list(&self) -> Option<RequestError> {
        let plan = self.reading.as_ref()?.plan.plan();
        let read = plan.read();
        if read.parent.is_none() || !read.has_one_list() {
            return None;
        }
        let list = self.request(plan, Source::List);
        self.cx.client.pages(list).next().await.err()
    }
}
