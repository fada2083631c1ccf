//! What a list lacks: why it is empty or incomplete, and the meanings of tags that have several.

use super::Listing;
use crate::contract::error::Error;
use crate::finding::project;
use crate::finding::rows::RowSource;
use crate::wording::nouns::plural;
use crate::wording::sentences;

impl Listing<'_> {
    /// The error of a list that is empty because its project, VPC or parent does not exist.
    pub(super) async fn missing_owner(&mut self) -> Option<Error> {
        if self.has_listed() {
            return None;
        }
        let nothing = sentences::none(&self.cx, &self.plan.read);
        // If the search failed, the list was read after it.
        let failed = self.failed.take().filter(|_| self.source == RowSource::Search);
        let read = &self.plan.read;
        match project::missing(&self.cx, read, nothing, failed.clone()).await {
            None => project::without_api(&self.cx, read, failed.as_ref()?).await,
            missing => missing,
        }
    }

    fn has_listed(&self) -> bool {
        self.left < self.options.limit.unwrap_or(usize::MAX)
    }

    /// Reports the meanings of tags that have several.
    pub(super) fn note_tags(&self) {
        let notes = self.options.tags.iter();
        for note in notes.filter_map(|tag| tag.note(|meaning| self.met.contains(*meaning))) {
            self.cx.warn(&note);
        }
    }

    /// Reports that only one of several lists is read, and why.
    pub(super) fn warn_of_one_list(&self, reason: &str) {
        let read = &self.plan.read;
        if read.has_one_list() {
            return;
        }
        let parent = match &*read.default_parent {
            "" => read.tree.base(),
            parent => parent.to_owned(),
        };
        let nouns = plural(read.kind.noun);
        self.cx.warn(&format!(
            "{reason}, so only the {nouns} directly below {parent} are listed"
        ));
    }

    pub(super) fn warn_if_incomplete(&self) {
        if self.is_unindexed && self.has_listed() {
            self.warn_of_one_list("the search found none");
        }
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
