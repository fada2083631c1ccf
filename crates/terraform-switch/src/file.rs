//! One file: its data sources, the blocks of providers, and the providers that it passes to modules.

use std::collections::BTreeMap;
use std::ops::Range;

use hcl_edit::Span;
use hcl_edit::structure::{Attribute, Block, Body};

use crate::folders::{Folder, Folders, below, folder};
use crate::parsed::{self, alias, is_of, items, kind, place_of, renamed, source};
use crate::shapes::{self, AttributePlace, Edit, end_of_line, first_line, line_end, matched};
use crate::{Changed, Direction, Outcome, Providers, Step, counted};

/// A file that could be parsed.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) body: Body,
}

impl File {
    /// The text of a part.
    pub(crate) fn at(&self, part: &impl Span) -> &str {
        &self.text[place_of(part)]
    }

    /// Whether it requires the new provider under the name of the other one.
    pub(crate) fn requires_as_from(&self, providers: &Providers<'_>) -> bool {
        let mut blocks = parsed::requirements(&self.body);
        let source = format!("\"{}\"", providers.source);
        blocks.any(|block| {
            let required = block.body.get_attribute(providers.from);
            required.is_some_and(|required| self.at(&required.value).contains(&source))
        })
    }
}

/// The changes of a file.
pub(crate) struct Pass<'a> {
    pub(crate) file: &'a File,
    pub(crate) providers: &'a Providers<'a>,
    pub(crate) direction: Direction,
    /// Whether data sources are switched, or have been before.
    pub(crate) switches: bool,
    /// Whether data sources need the new provider after a revert.
    pub(crate) keeps: bool,
    /// Whether the file names the new provider afterwards, apart from data sources.
    pub(crate) names_new: bool,
    edits: Vec<Edit>,
    counts: BTreeMap<&'static str, usize>,
    left: Vec<(usize, String)>,
}

impl<'a> Pass<'a> {
    pub(crate) fn new(file: &'a File, providers: &'a Providers<'a>, direction: Direction) -> Self {
        Self {
            file,
            providers,
            direction,
            switches: false,
            keeps: false,
            names_new: false,
            edits: Vec::new(),
            counts: BTreeMap::new(),
            left: Vec::new(),
        }
    }

    /// The name of its folder, and what the file adds to it. The data sources have been visited.
    pub(crate) fn folder(&self) -> (String, Folder) {
        let name = folder(&self.file.name);
        let calls = self.file.body.get_blocks("module").filter_map(source);
        let blocks = self.file.body.get_blocks("provider");
        let blocks = blocks.filter(|block| kind(block) == Some(self.providers.to));
        let added = Folder {
            switches: self.switches,
            keeps: self.keeps,
            configured: blocks.map(|block| alias(block).map(str::to_owned)).collect(),
            calls: calls.filter_map(|source| below(&name, source)).collect(),
        };
        (name, added)
    }

    /// Makes one change.
    pub(crate) fn change(&mut self, what: &'static str, edit: Edit) {
        *self.counts.entry(what).or_default() += 1;
        self.edits.push(edit);
    }

    pub(crate) fn leave(&mut self, part: &impl Span, what: String) {
        self.left.push((place_of(part).start, what));
    }

    /// An attribute in the body of a block.
    pub(crate) fn entry(&self, block: &Block, entry: String) -> AttributePlace<'a> {
        let text = &self.file.text;
        let place = place_of(block);
        let labels = block.labels.last().map_or(place_of(&block.ident), place_of).end;
        let brace = text[labels..place.end].find('{').unwrap_or_default();
        AttributePlace {
            text,
            body: labels + brace + 1..place.end.saturating_sub(1),
            indent: shapes::indent(text, place.start),
            entry,
        }
    }

    /// Visits the data sources.
    pub(crate) fn data_sources(&mut self) {
        for block in parsed::data_sources(&self.file.body) {
            let Some(kind) = kind(block) else { continue };
            let is_new = is_of(kind, self.providers.to);
            if !is_new && !is_of(kind, self.providers.from) {
                continue;
            }
            if let Some(remark) = (self.providers.remark)(kind) {
                self.leave(block, remark);
            }
            match (self.direction, block.body.get_attribute("provider")) {
                _ if is_new => self.keeps = true,
                (Direction::Switch, _) if !(self.providers.serves)(kind) => {
                    self.leave(block, format!("{} has no data source {kind}", self.providers.to));
                }
                (Direction::Switch, provider) => self.switch(block, provider),
                (Direction::Revert, Some(provider)) => self.revert(block, provider),
                (Direction::Revert, None) => {}
            }
        }
    }

    /// Switches a data source.
    fn switch(&mut self, block: &Block, provider: Option<&Attribute>) {
        let Providers { from, to, .. } = *self.providers;
        let name = provider.map_or("", |provider| self.file.at(&provider.value));
        let edit = match (provider, renamed(name, from, to)) {
            (None, _) => Some(self.entry(block, format!("provider = {to}")).add()),
            // An attribute that exists differs from one that is added.
            (Some(provider), Some(_)) if name == from => {
                Some((place_of(&provider.value), format!("{to} /* {from} */")))
            }
            (Some(provider), Some(new)) => Some((place_of(&provider.value), new)),
            (Some(_), None) if renamed(name, to, to).is_some() => None,
            (Some(provider), None) => {
                let what = format!("`provider` is not {from}: set it to {to} or to one of its aliases");
                return self.leave(provider, what);
            }
        };
        self.switches = true;
        edit.into_iter().for_each(|edit| self.change("data source", edit));
    }

    /// Reverts the switch of a data source.
    fn revert(&mut self, block: &Block, provider: &Attribute) {
        let Providers { from, to, .. } = *self.providers;
        let place = place_of(&provider.value);
        let name = self.file.at(&provider.value);
        let Some(old) = renamed(name, to, from) else {
            return;
        };
        let note = format!(" /* {from} */");
        let edit = if name != to {
            Some((place, old))
        } else if self.file.text[place.end..].starts_with(&note) {
            Some((place.start..place.end + note.len(), old))
        } else {
            self.entry(block, format!("provider = {to}")).remove()
        };
        let Some(edit) = edit else {
            self.keeps = true;
            return self.leave(
                provider,
                format!("remove `provider = {to}`, which is not as it was added"),
            );
        };
        self.change("data source", edit);
    }

    /// Adds a text at an offset if `adds` is set, or removes it if `removes` is set. Returns whether it did.
    fn toggle(&mut self, what: &'static str, at: usize, added: String, adds: bool, removes: bool) -> bool {
        let length = matched(&self.file.text[at..], &added).filter(|length| *length > 0);
        let edit = match (self.direction, length) {
            (Direction::Switch, _) if adds => (at..at, added),
            (Direction::Revert, Some(length)) if removes => (at..at + length, String::new()),
            _ => return false,
        };
        self.change(what, edit);
        true
    }

    /// Adds a block of the new provider after each one of the other provider, or removes it.
    pub(crate) fn provider_blocks(&mut self, folders: &Folders) {
        let (file, Providers { from, to, .. }) = (self.file, *self.providers);
        let folder = folders.of(&file.name);
        for block in file.body.get_blocks("provider") {
            let place = place_of(block);
            if kind(block) == Some(from) {
                let at = end_of_line(&file.text, place.end).unwrap_or(place.end);
                let adds = folder.switches && !folder.configured.contains(&alias(block).map(str::to_owned));
                let added = self.provider_block(block);
                let is_changed = self.toggle("provider block", at, added, adds, !folder.keeps);
                self.names_new |= is_changed && adds;
            } else if kind(block) == Some(to)
                && !self.edits.iter().any(|(edit, _)| edit.contains(&place.start))
            {
                self.names_new = true;
                if self.direction == Direction::Revert && !folder.keeps {
                    let what = "remove this block if it is unused; it is not as it was added";
                    self.leave(block, what.to_owned());
                }
            }
        }
    }

    /// The block of the new provider, with the alias and arguments of a block of the other one.
    fn provider_block(&self, block: &Block) -> String {
        let text = &self.file.text;
        let is_copied = |name: &str| ["alias", "for_each"].contains(&name) || (self.providers.copies)(name);
        let copied = block.body.attributes().filter(|one| is_copied(one.key.as_str()));
        let copied = copied.map(|one| (one.key.to_string(), self.file.at(&one.value).to_owned()));
        let copied: Vec<(String, String)> = copied.collect();
        let (end, indent) = (line_end(text), shapes::indent(text, place_of(block).start));
        let mut lines = lines(&copied, &format!("{end}{indent}  "));
        if !lines.is_empty() {
            lines += &format!("{end}{indent}");
        }
        format!("{end}{end}{indent}provider \"{}\" {{{lines}}}", self.providers.to)
    }

    /// Passes the new provider to modules to which the other one is passed, or no longer.
    pub(crate) fn module_calls(&mut self, folders: &Folders) {
        let (file, Providers { from, to, .. }) = (self.file, *self.providers);
        for block in file.body.get_blocks("module") {
            let Some(passed) = block.body.get_attribute("providers") else {
                continue;
            };
            let items = items(&passed.value);
            let is_passed = items
                .iter()
                .any(|(key, _)| renamed(&file.text[key.clone()], to, to).is_some());
            let new = |place: &Range<usize>| renamed(&file.text[place.clone()], from, to);
            let new: Vec<_> = items
                .iter()
                .filter_map(|(key, value)| Some((new(key)?, new(value)?)))
                .collect();
            let called = source(block).and_then(|source| folders.called(&file.name, source));
            let adds = called.is_some_and(|called| called.switches) && !is_passed && !new.is_empty();
            let removes = called.is_some_and(|called| !called.keeps);
            let (at, added) = added_items(&file.text, &place_of(&passed.value), &new);
            let is_changed = self.toggle("module call", at, added, adds, removes);
            self.names_new |= is_passed != is_changed;
        }
    }

    /// Adds what is changed and left to the outcome.
    pub(crate) fn finish(self, outcome: &mut Outcome) {
        let (File { name, text, .. }, mut edits) = (self.file, self.edits);
        edits.sort_by_key(|(place, _)| (place.start, place.end));
        outcome
            .left
            .extend(self.left.into_iter().map(|(offset, what)| Step {
                place: name.clone(),
                line: Some(shapes::line_after(text, &edits, offset)),
                what,
            }));
        let counts = self.counts.into_iter();
        let counts = counts.map(|(what, count)| counted(count, what));
        if !edits.is_empty() {
            outcome.changed.push(Changed {
                name: name.clone(),
                what: counts.collect::<Vec<_>>().join(", "),
                text: Some(shapes::apply(text, &edits)).filter(|text| !text.is_empty()),
            });
        }
    }
}

/// Lines of attributes or items, aligned as formatters do, each after `end`.
fn lines(items: &[(String, String)], end: &str) -> String {
    let is_in_group = |(_, value): &(String, String)| !value.contains('\n');
    let groups = items.chunk_by(|one, other| is_in_group(one) && is_in_group(other));
    let lines = groups.flat_map(|group| {
        let width = group.iter().map(|(key, _)| key.len()).max().unwrap_or_default();
        group
            .iter()
            .map(move |(key, value)| format!("{end}{key:width$} = {value}"))
    });
    lines.collect()
}

/// Items at the beginning of an object, and their place.
fn added_items(text: &str, object: &Range<usize>, items: &[(String, String)]) -> (usize, String) {
    let inner = object.start + 1..object.end.saturating_sub(1);
    if items.is_empty() {
        return (object.end, String::new());
    }
    let Some(at) = first_line(text, &inner) else {
        let items = items.iter().map(|(key, value)| format!(" {key} = {value},"));
        return (inner.start, items.collect());
    };
    let end = line_end(&text[at..]);
    let next = inner.end - text[at..inner.end].trim_start().len();
    (
        at,
        lines(items, &format!("{end}{}", shapes::indent(text, next))) + end,
    )
}
