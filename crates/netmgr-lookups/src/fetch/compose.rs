//! Combined searches: the terms of many lookups in few queries of the search language.
//!
//! A combined query finds at least what each of its lookups would find alone, also objects that are marked for deletion;
//! each lookup then takes the rows that it wants. Pure: nothing is sent here.

use std::collections::HashMap;

use crate::finding::query::{LONGEST, criterion, encoded, name, place, type_term};
use crate::finding::read::{By, Read};

/// A query, and the positions of the reads that it answers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Combined {
    pub(super) query: String,
    pub(super) reads: Vec<usize>,
}

/// Reads of one kind in one place, whose queries differ only in the last term.
struct QueryGroup {
    /// `resource_type:T AND path:\/infra*`; empty if the objects are of any type in any place.
    shared: String,
    /// The terms in which the reads differ; `None` if a read wants every object of the group.
    terms: Vec<(Option<String>, usize)>,
}

/// A few queries that together find everything that `reads` look for, each short enough to be sent.
pub(super) fn combine(reads: &[&Read]) -> Vec<Combined> {
    let mut packed = Vec::new();
    let mut open = Open::default();
    for group in groups(reads) {
        for (term, read) in group.terms {
            if !open.fits(&group.shared, term.as_deref()) {
                packed.extend(std::mem::take(&mut open).close());
            }
            open.add(&group.shared, term, read);
        }
    }
    packed.extend(open.close());
    packed
}

/// Bytes of a URL other than clauses: path, parameter names, the page size and a cursor.
const FRAME: usize = 250;

/// Maximum number of bytes of a clause in a URL, without its own terms.
fn clause_length(shared: &str) -> usize {
    encoded(shared) + encoded(" OR ( AND ())")
}

fn groups(reads: &[&Read]) -> Vec<QueryGroup> {
    let mut groups: Vec<QueryGroup> = Vec::new();
    // In the order of the reads; thousands of reads have hundreds of groups.
    let mut positions: HashMap<String, usize> = HashMap::new();
    for (position, read) in reads.iter().enumerate() {
        let shared = shared(read);
        let group = *positions.entry(shared).or_insert_with_key(|shared| {
            groups.push(QueryGroup {
                shared: shared.clone(),
                terms: Vec::new(),
            });
            groups.len() - 1
        });
        groups[group].terms.push((own(read), position));
    }
    for group in &mut groups {
        if group.terms.iter().any(|(term, _)| term.is_none()) {
            group.terms.iter_mut().for_each(|(term, _)| *term = None);
        }
        // Equal terms are adjacent, and are written once.
        group.terms.sort();
    }
    groups
}

/// The terms that reads of one kind in one place have in common.
fn shared(read: &Read) -> String {
    let terms: Vec<String> = type_term(read).into_iter().chain(place(read)).collect();
    terms.join(" AND ")
}

/// The term of `read` alone.
fn own(read: &Read) -> Option<String> {
    let term = criterion(read, name)?;
    // Each further word is a separate term. Parentheses separate them from other names.
    match &read.by {
        By::Name(_) if term.contains(' ') => Some(format!("({term})")),
        _ => Some(term),
    }
}

/// A query under construction.
#[derive(Default)]
struct Open {
    /// Shared terms, and alternatives of which one must match. Without alternatives, any object matches.
    clauses: Vec<(String, Vec<String>)>,
    reads: Vec<usize>,
    length: usize,
}

impl Open {
    fn fits(&self, shared: &str, term: Option<&str>) -> bool {
        self.reads.is_empty() || FRAME + self.length + self.growth(shared, term) <= LONGEST
    }

    /// Bytes that a read adds.
    fn growth(&self, shared: &str, term: Option<&str>) -> usize {
        let term = term.map_or(0, |term| encoded(term) + encoded(" OR "));
        match self.clauses.last() {
            Some((last, _)) if last == shared => term,
            _ => clause_length(shared) + term,
        }
    }

    fn add(&mut self, shared: &str, term: Option<String>, read: usize) {
        self.reads.push(read);
        let growth = self.growth(shared, term.as_deref());
        let is_open = self.clauses.last().is_some_and(|(last, _)| last == shared);
        if !is_open {
            self.clauses.push((shared.to_owned(), Vec::new()));
        }
        let Some((_, terms)) = self.clauses.last_mut() else {
            return;
        };
        // Equal terms are adjacent.
        if !is_open || (term.is_some() && terms.last() != term.as_ref()) {
            self.length += growth;
            terms.extend(term);
        }
    }

    fn close(self) -> Option<Combined> {
        (!self.reads.is_empty()).then(|| Combined {
            query: written(&self.clauses),
            reads: self.reads,
        })
    }
}

fn written(clauses: &[(String, Vec<String>)]) -> String {
    let clause = |(shared, terms): &(String, Vec<String>)| match (&**shared, &terms[..]) {
        (shared, []) => format!("({shared})"),
        ("", several) => format!("({})", several.join(" OR ")),
        (shared, [only]) => format!("({shared} AND {only})"),
        (shared, several) => format!("({shared} AND ({}))", several.join(" OR ")),
    };
    let clauses: Vec<String> = clauses.iter().map(clause).collect();
    match &clauses[..] {
        [only] => only.clone(),
        several => format!("({})", several.join(" OR ")),
    }
}

#[cfg(test)]
mod tests;
