//! Resources that the host has generated for existing objects: what imports them, and how they refer to each other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hcl_edit::expr::Expression;
use hcl_edit::structure::{Block, BlockLabel, Body};
use hcl_edit::visit::Visit as _;

use crate::parsed::{self, is_of, kind, place_of};
use crate::program::{self, Scalar, scalars};
use crate::shapes::{self, Edit, end_of_line};
use crate::{Changed, Outcome, SourceFile, Step, counted};
use reader::{Reader, target};

mod reader;

/// The file of a configuration with the data sources that are added.
pub const DATA_FILE: &str = "adopted-data.tf";

/// The import block for a resource: its address, and the id of the object.
#[must_use]
pub fn import_block(to: &str, id: &str) -> String {
    format!("import {{\n  to = {to}\n  id = {}\n}}\n", quoted(id))
}

/// A name with a number if it is taken.
pub fn unique(name: &str, mut is_taken: impl FnMut(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).expect("numbers do not end")
}

/// A text as a literal.
fn quoted(text: &str) -> String {
    Expression::from(text).to_string()
}

/// An imported resource that is part of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Type of the resource.
    pub kind: String,
    /// Address of the resource: `nsxt_policy_group.web`, or its name in a program.
    pub address: String,
    /// The id that it is imported with.
    pub id: String,
}

/// A data source that finds an object by its id.
#[derive(Debug, Clone)]
pub struct DataSource {
    /// Its type.
    pub kind: String,
    /// A name for it. A number is added if it is taken.
    pub name: String,
    /// The id of the object.
    pub id: String,
    /// The project of the object, if it is in one.
    pub project: Option<String>,
}

impl DataSource {
    /// Its block with this name.
    fn block(&self, name: &str) -> String {
        let Self {
            kind, id, project, ..
        } = self;
        let context = project.as_ref().map(|project| {
            let project = quoted(project);
            format!("\n  context {{\n    project_id = {project}\n  }}\n")
        });
        let (id, context) = (quoted(id), context.unwrap_or_default());
        format!("data \"{kind}\" \"{name}\" {{\n  id = {id}\n{context}}}\n")
    }
}

/// A text in a resource.
struct Literal {
    file: usize,
    /// The address of the resource.
    owner: String,
    place: Range<usize>,
    text: String,
    /// Whether an expression instead of it needs quotation marks.
    is_quoted: bool,
}

/// An argument of a resource that is set to null, or to an empty text by OpenTofu.
struct Unset {
    file: usize,
    name: String,
    place: Range<usize>,
}

/// The root module of a configuration with the resources of a provider, or a program of Pulumi.
#[derive(Default)]
pub struct Generated {
    /// The names and texts of the files.
    files: Vec<(String, String)>,
    is_program: bool,
    unread: Vec<Step>,
    imports: Vec<Import>,
    data_sources: Vec<Block>,
    /// Addresses of data sources, or names in a program.
    taken: BTreeSet<String>,
    /// The data sources that are added.
    added: Vec<String>,
    literals: Vec<Literal>,
    unset: Vec<Unset>,
    /// The addresses of the resources that each resource refers to.
    references: BTreeMap<String, BTreeSet<String>>,
}

impl Generated {
    /// Reads the files of a module.
    #[must_use]
    pub fn read(sources: Vec<SourceFile>, provider: &str) -> Self {
        let mut generated = Self::default();
        let mut bodies = Vec::new();
        for SourceFile { name, text } in sources {
            match text.and_then(|text| Ok((parsed::parse(&text)?, text))) {
                Ok((body, text)) => {
                    bodies.push(body);
                    generated.files.push((name, text));
                }
                Err(reason) => generated.unread.push(Step::of(name, reason)),
            }
        }
        let mut resources = BTreeSet::new();
        for (file, body) in bodies.iter().enumerate() {
            for block in body.get_blocks("resource") {
                let is_own = kind(block).is_some_and(|kind| is_of(kind, provider));
                let Some(owner) = address(block).filter(|_| is_own) else {
                    continue;
                };
                resources.insert(owner.clone());
                let mut reader = Reader {
                    is_of_opentofu: generated.files[file].1.contains("# __generated__ by OpenTofu"),
                    generated: &mut generated,
                    file,
                    owner,
                };
                reader.visit_body(&block.body);
            }
        }
        for (file, body) in bodies.iter().enumerate() {
            for block in parsed::data_sources(body) {
                let address = address(block).map(|address| format!("data.{address}"));
                generated.taken.extend(address);
            }
            generated.data_sources.extend(body.get_blocks("data").cloned());
            for block in body.get_blocks("import") {
                generated
                    .imports
                    .extend(import(block, &generated.files[file].1, &resources));
            }
        }
        generated
    }

    /// Reads a program of Pulumi in YAML, into which some of the `imports` have been generated.
    ///
    /// # Errors
    ///
    /// The reason why the program cannot be read.
    pub fn program(name: String, text: String, mut imports: Vec<Import>) -> Result<Self, String> {
        let scalars = scalars(&text)?;
        let mut generated = Self {
            is_program: true,
            ..Self::default()
        };
        let mut resources = BTreeSet::new();
        for Scalar {
            keys,
            text,
            place,
            is_quoted,
            is_inline,
            ..
        } in scalars
        {
            generated.taken.extend(keys.get(1).cloned());
            let [section, owner, part, ..] = &keys[..] else {
                continue;
            };
            if section != "resources" {
                continue;
            }
            resources.insert(owner.clone());
            let references = generated.references.entry(owner.clone()).or_default();
            references.extend(program::references(&text));
            if part == "properties" && is_inline {
                generated.literals.push(Literal {
                    file: 0,
                    owner: owner.clone(),
                    place,
                    text,
                    is_quoted,
                });
            }
        }
        imports.retain(|import| resources.contains(&import.address));
        generated.imports = imports;
        generated.files.push((name, text));
        Ok(generated)
    }

    /// The imports.
    #[must_use]
    pub fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// Files that cannot be read, with the reasons.
    #[must_use]
    pub fn unread(&self) -> &[Step] {
        &self.unread
    }

    /// The different texts in resources.
    pub fn texts(&self) -> BTreeSet<&str> {
        self.literals.iter().map(|literal| &*literal.text).collect()
    }

    /// The address of a data source, which is added unless there is one.
    pub fn data_source(&mut self, source: &DataSource) -> String {
        let DataSource { kind, name, .. } = source;
        let base = match self.is_program {
            true => name.clone(),
            false => format!("data.{kind}.{name}"),
        };
        let is_same = |block: &&Block| {
            let wanted = source.block(name).parse::<Body>().unwrap_or_default();
            parsed::kind(block) == Some(kind) && wanted.get_blocks("data").any(|own| own.body == block.body)
        };
        if let Some(block) = self.data_sources.iter().find(is_same) {
            return format!("data.{}", address(block).unwrap_or_default());
        }
        let variable = |address: &str| program::variable(source, address);
        let is_known = |address: &str| self.is_program && self.files[0].1.contains(&variable(address));
        let address = unique(&base, |address| {
            self.taken.contains(address) && !is_known(address)
        });
        if is_known(&address) {
            return address;
        }
        self.taken.insert(address.clone());
        self.added.push(match self.is_program {
            true => variable(&address),
            false => source.block(address.rsplit('.').next().unwrap_or(name)),
        });
        address
    }

    /// Replaces texts by references to addresses, and removes arguments that are not set. A text with a reason instead is
    /// listed, as is one whose resource would refer to itself.
    #[must_use]
    pub fn finish(mut self, targets: &BTreeMap<String, Result<String, String>>) -> Outcome {
        let mut edits: Vec<Vec<Edit>> = self.files.iter().map(|_| Vec::new()).collect();
        let mut left: Vec<(usize, usize, String)> = Vec::new();
        let mut counts = vec![[0, 0, 0]; self.files.len()];
        // A text that stays is listed once, with the number of its places.
        let mut kept: BTreeMap<(String, String), (usize, usize, usize)> = BTreeMap::new();
        for literal in std::mem::take(&mut self.literals) {
            let Literal {
                file,
                owner,
                place,
                text,
                is_quoted,
            } = literal;
            let reason = match targets.get(&text) {
                Some(Ok(target)) if self.refers(owner, target) => {
                    counts[file][0] += 1;
                    let expression = match (self.is_program, is_quoted) {
                        (false, _) => format!("{target}.path"),
                        (true, false) => format!("${{{target}.path}}"),
                        (true, true) => format!("\"${{{target}.path}}\""),
                    };
                    edits[file].push((place, expression));
                    continue;
                }
                Some(Ok(target)) => format!("a reference to {target} would create a cycle"),
                Some(Err(reason)) => reason.clone(),
                None => continue,
            };
            kept.entry((text, reason)).or_insert((file, place.start, 0)).2 += 1;
        }
        for ((text, reason), (file, start, count)) in kept {
            let more = match count {
                1 => String::new(),
                count => format!(", here and in {} more", counted(count - 1, "place")),
            };
            left.push((file, start, format!("{text} stays{more}: {reason}")));
        }
        for Unset { file, name, place } in &self.unset {
            let text = &self.files[*file].1;
            match line_of(text, place) {
                Some(line) => {
                    counts[*file][1] += 1;
                    edits[*file].push((line, String::new()));
                }
                None if is_secret(text, place) => {
                    let what = format!("set {name}, which the manager does not return");
                    left.push((*file, place.start, what));
                }
                None => {}
            }
        }
        self.add_data_sources(&mut edits, &mut counts);
        let mut outcome = Outcome {
            left: self.unread,
            ..Outcome::default()
        };
        for edits in &mut edits {
            edits.sort_by_key(|(place, _)| place.start);
        }
        for (file, offset, what) in left {
            let (name, text) = &self.files[file];
            outcome.left.push(Step {
                place: name.clone(),
                line: Some(shapes::line_after(text, &edits[file], offset)),
                what,
            });
        }
        let files = self.files.iter().zip(&edits).zip(counts);
        for (((name, text), edits), [references, unset, data]) in files {
            let counts = [
                (data, "data source"),
                (references, "reference"),
                (unset, "unset argument"),
            ];
            let counts = counts.into_iter().filter(|(count, _)| *count > 0);
            let counts: Vec<String> = counts.map(|(count, what)| counted(count, what)).collect();
            if !edits.is_empty() {
                outcome.changed.push(Changed {
                    name: name.clone(),
                    what: counts.join(", "),
                    text: Some(shapes::apply(text, edits)),
                });
            }
        }
        // First, so that no reference is without its data source if the process is killed.
        outcome.changed.sort_by_key(|changed| changed.name != DATA_FILE);
        outcome.left.sort();
        outcome
    }

    /// Adds the data sources to the program, or to their file.
    fn add_data_sources(&mut self, edits: &mut Vec<Vec<Edit>>, counts: &mut Vec<[usize; 3]>) {
        if self.added.is_empty() {
            return;
        }
        let file = match self
            .files
            .iter()
            .position(|(name, _)| self.is_program || name == DATA_FILE)
        {
            Some(file) => file,
            None => {
                self.files.push((DATA_FILE.to_owned(), String::new()));
                edits.push(Vec::new());
                counts.push([0; 3]);
                self.files.len() - 1
            }
        };
        let text = &self.files[file].1;
        edits[file].push(match self.is_program {
            true => program::added(text, &self.added),
            false => {
                let separator = if text.is_empty() { "" } else { "\n" };
                (
                    text.len()..text.len(),
                    format!("{separator}{}", self.added.join("\n")),
                )
            }
        });
        counts[file][2] = self.added.len();
    }

    /// Records that a resource refers to a target, unless that creates a cycle.
    fn refers(&mut self, owner: String, target: &str) -> bool {
        let mut reached = BTreeSet::new();
        let mut next = vec![target];
        while let Some(one) = next.pop() {
            if *one == owner {
                return false;
            }
            if reached.insert(one) {
                next.extend(self.references.get(one).into_iter().flatten().map(String::as_str));
            }
        }
        self.references
            .entry(owner)
            .or_default()
            .insert(target.to_owned());
        true
    }
}

/// An import block whose resource is part of the configuration.
fn import(block: &Block, file: &str, resources: &BTreeSet<String>) -> Option<Import> {
    let value = |name| Some(&block.body.get_attribute(name)?.value);
    let to = value("to")?;
    let target = to
        .as_traversal()
        .and_then(target)
        .filter(|target| resources.contains(target))?;
    Some(Import {
        kind: target.split('.').next()?.to_owned(),
        address: file[place_of(to)].to_owned(),
        id: value("id")?.as_str()?.to_owned(),
    })
}

/// The address of a resource, or of a data source without `data.`.
fn address(block: &Block) -> Option<String> {
    let name = block.labels.get(1).map(BlockLabel::as_str)?;
    Some(format!("{}.{name}", kind(block)?))
}

/// The lines of an argument, including the last line end. `None` if they contain something else, comments aside.
fn line_of(text: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let start = text[..place.start].rfind('\n').map_or(0, |end| end + 1);
    let is_alone = text[start..place.start].trim().is_empty();
    let end = end_of_line(text, place.end).filter(|_| is_alone && !is_secret(text, place))?;
    let rest = &text[end..];
    Some(start..end + rest.find('\n').map_or(rest.len(), |line| line + 1))
}

/// Whether the host says beside an argument that its value is secret, and so not part of what it generates.
fn is_secret(text: &str, place: &Range<usize>) -> bool {
    let line = text[place.end..].split('\n').next().unwrap_or_default();
    line.contains("# sensitive")
}
