//! Resources that the host has generated for existing objects: what imports them, and how they refer to each other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hcl_edit::Decorated;
use hcl_edit::expr::{Expression, ObjectKey, ObjectValue, Traversal, TraversalOperator};
use hcl_edit::structure::{Attribute, Block, BlockLabel, Body};
use hcl_edit::visit::{self, Visit};

use crate::file::File;
use crate::parsed::{self, is_of, kind, place_of};
use crate::shapes::{self, Edit, end_of_line};
use crate::{Changed, Outcome, SourceFile, Step, counted};

/// Arguments of resources that concern the host itself.
const OF_HOST: [&str; 4] = ["count", "depends_on", "for_each", "provider"];
/// Blocks of resources that concern the host itself.
const BLOCKS_OF_HOST: [&str; 3] = ["connection", "lifecycle", "provisioner"];

/// The import block for a resource: its address, and the id of the object.
#[must_use]
pub fn import_block(to: &str, id: &str) -> String {
    format!("import {{\n  to = {to}\n  id = {}\n}}\n", quoted(id))
}

/// The block of a data source with an id, which is in a project if one is given.
#[must_use]
pub fn data_block(kind: &str, name: &str, id: &str, project: Option<&str>) -> String {
    let context = project.map(|project| {
        let project = quoted(project);
        format!("\n  context {{\n    project_id = {project}\n  }}\n")
    });
    let (id, context) = (quoted(id), context.unwrap_or_default());
    format!("data \"{kind}\" \"{name}\" {{\n  id = {id}\n{context}}}\n")
}

/// A text as a literal.
fn quoted(text: &str) -> String {
    Expression::from(text).to_string()
}

/// An import block whose resource is part of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Type of the resource.
    pub kind: String,
    /// Address of the resource: `nsxt_policy_group.web`.
    pub address: String,
    /// The id that it is imported with.
    pub id: String,
}

/// A data source of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExistingDataSource {
    /// Its type.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The id, and the project if there is one, of a block that has nothing else and can be referred to.
    pub id: Option<(String, Option<String>)>,
}

impl ExistingDataSource {
    fn of(block: &Block, is_at_root: bool) -> Option<Self> {
        let (kind, name) = address(block)?;
        let body = &block.body;
        let text = |body: &Body, name: &str| Some(body.get_attribute(name)?.value.as_str()?.to_owned());
        let context = body.get_blocks("context").next().map(|context| &context.body);
        let project = context.and_then(|context| text(context, "project_id"));
        let has_rest = body.len() != 1 + usize::from(context.is_some())
            || context.is_some_and(|context| context.len() != 1 || project.is_none());
        let id = text(body, "id").filter(|_| is_at_root && !has_rest);
        let id = id.map(|id| (id, project));
        Some(Self { kind, name, id })
    }
}

/// A resource by its type and name.
type Address = (String, String);

/// A text in a resource.
struct Literal {
    file: usize,
    owner: Address,
    place: Range<usize>,
    text: String,
}

/// An argument of a resource that is set to null, or to an empty text by OpenTofu.
struct Unset {
    file: usize,
    name: String,
    place: Range<usize>,
}

/// The root module of a configuration, with the resources of a provider.
#[derive(Default)]
pub struct Generated {
    files: Vec<File>,
    unread: Vec<Step>,
    imports: Vec<Import>,
    data_sources: Vec<ExistingDataSource>,
    literals: Vec<Literal>,
    unset: Vec<Unset>,
    /// The resources that each resource refers to.
    references: BTreeMap<Address, BTreeSet<Address>>,
}

impl Generated {
    /// Reads the files of a module.
    #[must_use]
    pub fn read(sources: Vec<SourceFile>, provider: &str) -> Self {
        let mut generated = Self::default();
        for SourceFile { name, text } in sources {
            match text.and_then(|text| Ok((parsed::parse(&text)?, text))) {
                Ok((body, text)) => generated.files.push(File { name, text, body }),
                Err(reason) => generated.unread.push(Step::of(name, reason)),
            }
        }
        let files = std::mem::take(&mut generated.files);
        let mut resources = BTreeSet::new();
        for (index, file) in files.iter().enumerate() {
            for block in file.body.get_blocks("resource") {
                let Some(owner) = address(block).filter(|(kind, _)| is_of(kind, provider)) else {
                    continue;
                };
                resources.insert(owner.clone());
                let mut reader = Reader {
                    generated: &mut generated,
                    file: index,
                    is_of_opentofu: file.text.contains("# __generated__ by OpenTofu"),
                    owner,
                };
                reader.visit_body(&block.body);
            }
        }
        for file in &files {
            let at_root = file.body.get_blocks("data").map(|block| (block, true));
            let checks = file.body.get_blocks("check");
            let in_checks = checks.flat_map(|check| check.body.get_blocks("data"));
            let blocks = at_root.chain(in_checks.map(|block| (block, false)));
            let blocks = blocks.filter_map(|(block, is_at_root)| ExistingDataSource::of(block, is_at_root));
            generated.data_sources.extend(blocks);
            for block in file.body.get_blocks("import") {
                let value = |name| Some(&block.body.get_attribute(name)?.value);
                let (Some(to), Some(id)) = (value("to"), value("id").and_then(Expression::as_str)) else {
                    continue;
                };
                let target = to.as_traversal().and_then(target);
                if let Some(target) = target.filter(|target| resources.contains(target)) {
                    generated.imports.push(Import {
                        kind: target.0,
                        address: file.at(to).to_owned(),
                        id: id.to_owned(),
                    });
                }
            }
        }
        generated.files = files;
        generated
    }

    /// The import blocks.
    #[must_use]
    pub fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// Files that cannot be read, with the reasons.
    #[must_use]
    pub fn unread(&self) -> &[Step] {
        &self.unread
    }

    /// The data sources.
    #[must_use]
    pub fn data_sources(&self) -> &[ExistingDataSource] {
        &self.data_sources
    }

    /// The different texts in resources.
    pub fn texts(&self) -> BTreeSet<&str> {
        self.literals.iter().map(|literal| &*literal.text).collect()
    }

    /// Replaces texts by expressions, and removes arguments that are not set. A text with a reason instead is listed,
    /// as is one whose resource would refer to itself.
    #[must_use]
    pub fn finish(mut self, expressions: &BTreeMap<String, Result<String, String>>) -> Outcome {
        let mut edits: Vec<Vec<Edit>> = self.files.iter().map(|_| Vec::new()).collect();
        let mut left: Vec<(usize, usize, String)> = Vec::new();
        let mut counts = vec![[0, 0]; self.files.len()];
        // A text that stays is listed once, with the number of its places.
        let mut kept: BTreeMap<(String, String), (usize, usize, usize)> = BTreeMap::new();
        for literal in std::mem::take(&mut self.literals) {
            let Literal {
                file,
                owner,
                place,
                text,
            } = literal;
            let reason = match expressions.get(&text) {
                Some(Ok(expression)) if self.refers(owner, expression) => {
                    counts[file][0] += 1;
                    edits[file].push((place, expression.clone()));
                    continue;
                }
                Some(Ok(expression)) => format!("a reference to {expression} would close a circle"),
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
            let text = &self.files[*file].text;
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
        let mut outcome = Outcome {
            left: self.unread,
            ..Outcome::default()
        };
        for edits in &mut edits {
            edits.sort_by_key(|(place, _)| place.start);
        }
        for (file, offset, what) in left {
            outcome.left.push(Step {
                place: self.files[file].name.clone(),
                line: Some(shapes::line_after(&self.files[file].text, &edits[file], offset)),
                what,
            });
        }
        for ((file, edits), [references, unset]) in self.files.iter().zip(&edits).zip(counts) {
            let counts = [(references, "reference"), (unset, "unset argument")];
            let counts = counts.into_iter().filter(|(count, _)| *count > 0);
            let counts: Vec<String> = counts.map(|(count, what)| counted(count, what)).collect();
            if !edits.is_empty() {
                outcome.changed.push(Changed {
                    name: file.name.clone(),
                    what: counts.join(", "),
                    text: Some(shapes::apply(&file.text, edits)),
                });
            }
        }
        outcome.left.sort();
        outcome
    }

    /// Records that a resource refers to the target of an expression, unless that closes a circle.
    fn refers(&mut self, owner: Address, expression: &str) -> bool {
        let mut words = expression.split(['.', '[']).map(str::to_owned);
        let (Some(kind), Some(name)) = (words.next(), words.next()) else {
            return true;
        };
        let target = (kind, name);
        let mut reached = BTreeSet::new();
        let mut next = vec![&target];
        while let Some(one) = next.pop() {
            if *one == owner {
                return false;
            }
            if reached.insert(one) {
                next.extend(self.references.get(one).into_iter().flatten());
            }
        }
        self.references.entry(owner).or_default().insert(target);
        true
    }
}

/// The type and the name of a resource.
fn address(block: &Block) -> Option<Address> {
    let name = block.labels.get(1).map(BlockLabel::as_str)?;
    Some((kind(block)?.to_owned(), name.to_owned()))
}

/// The resource that a traversal begins with.
fn target(traversal: &Traversal) -> Option<Address> {
    let TraversalOperator::GetAttr(name) = traversal.operators.first()?.value() else {
        return None;
    };
    let kind = traversal.expr.as_variable()?;
    Some((kind.as_str().to_owned(), name.as_str().to_owned()))
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

/// Reads a resource.
struct Reader<'a> {
    generated: &'a mut Generated,
    file: usize,
    /// OpenTofu generates unset texts as empty ones, some of which providers reject.
    is_of_opentofu: bool,
    owner: Address,
}

impl Visit for Reader<'_> {
    fn visit_attr(&mut self, node: &Attribute) {
        let name = node.key.as_str();
        let is_empty = |text: &str| self.is_of_opentofu && text.is_empty();
        if OF_HOST.contains(&name) {
            return;
        }
        if node.value.is_null() || node.value.as_str().is_some_and(is_empty) {
            self.generated.unset.push(Unset {
                file: self.file,
                name: name.to_owned(),
                place: place_of(node),
            });
        } else {
            visit::visit_attr(self, node);
        }
    }

    fn visit_block(&mut self, node: &Block) {
        if !BLOCKS_OF_HOST.contains(&node.ident.as_str()) {
            visit::visit_block(self, node);
        }
    }

    fn visit_object_item(&mut self, _: &ObjectKey, value: &ObjectValue) {
        self.visit_expr(value.expr());
    }

    fn visit_string(&mut self, node: &Decorated<String>) {
        self.generated.literals.push(Literal {
            file: self.file,
            owner: self.owner.clone(),
            place: place_of(node),
            text: node.to_string(),
        });
    }

    fn visit_traversal(&mut self, node: &Traversal) {
        if let Some(target) = target(node) {
            let references = self.generated.references.entry(self.owner.clone());
            references.or_default().insert(target);
        }
        visit::visit_traversal(self, node);
    }
}
