//! What a list lacks: why it is empty or incomplete, and the meanings of tags that have several.

use super::Listing;
use crate::contract::error::Error;
use crate::finding::project;
use crate::wording::sentences;

impl Listing<'_> {
    /// The error of a list that is empty because its project, VPC or parent does not exist.
    pub(super) async fn missing_owner(&mut self) -> Option<Error> {
        if self.left < self.options.limit.unwrap_or(usize::MAX) {
            return None;
        }
        let nothing = sentences::nothing(&self.cx, &self.plan, None);
        let (read, failed) = (&self.plan.read, self.failed.take());
        match project::missing(&self.cx, read, nothing, failed.clone()).await {
            None => project::without_api(&self.cx, read, failed.as_ref()?).await,
            missing => missing,
        }
    }

    /// Reports the meanings of tags that have several.
    pub(super) fn note_tags(&self) {
        let notes = self.options.tags.iter();
        for note in notes.filter_map(|tag| tag.note(|meaning| self.met.contains(*meaning))) {
            self.cx.warn(&note);
        }
    }

    pub(super) fn warn_if_incomplete(&self) {
        let reasons = [
            sentences::skipped(&self.cx, &self.skipped),
            self.pager.extent().shortfall(),
        ];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        if !reasons.is_empty() {
            self.cx
                .warn(&format!("the list may be incomplete: {}", reasons.join("; ")));
        }
    }
}
