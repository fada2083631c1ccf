//! Reading files: blocks and the places of their parts.

use std::ops::Range;

use hcl_edit::Span;
use hcl_edit::expr::{Expression, ObjectKey};
use hcl_edit::structure::{Block, BlockLabel, Body};

/// The block with the requirements.
pub(crate) const REQUIREMENTS: &str = "required_providers";

/// The maximum number of cuts in expressions that are too long for the parser.
const MOST_CUTS: usize = 100;

/// Parses a text. The parser rejects expressions with more than 128 operators; the rest of such an expression is
/// replaced by blanks, because only its place is used. The error contains the position.
pub(crate) fn parse(text: &str) -> Result<Body, String> {
    // A byte-order mark, which some editors write, is not part of the language.
    let mut shortened = text.replacen('\u{feff}', "   ", usize::from(text.starts_with('\u{feff}')));
    let mut cuts = Vec::new();
    loop {
        let error = match shortened.parse::<Body>() {
            // Its arguments are copied.
            Ok(body)
                if cuts
                    .iter()
                    .any(|cut| body.get_blocks("provider").any(|one| place_of(one).contains(cut))) =>
            {
                return Err("the expression of a provider's argument is too long".to_owned());
            }
            Ok(body) => return Ok(body),
            Err(error) => error,
        };
        let start = error.location().offset();
        let is_long = error.message().contains("chained binary operators") && cuts.len() < MOST_CUTS;
        let Some(end) = is_long.then(|| end_of_long(&shortened, start)).flatten() else {
            let reason = match !cuts.is_empty() || error.message().contains("at most") {
                true => "the expression is too long or too deeply nested",
                false => "cannot be parsed",
            };
            let (line, column) = (error.location().line(), error.location().column());
            return Err(format!("line {line}, column {column}: {reason}"));
        };
        shortened.replace_range(start..end, &" ".repeat(end - start));
        cuts.push(start);
    }
}

/// The end of an expression that is too long from the operator at `start` on. If that is `?`, the parser looks for `:`
/// where the expression ends or is too long again.
fn end_of_long(text: &str, start: usize) -> Option<usize> {
    let length = 1 + usize::from(text.get(start + 1..)?.starts_with(['=', '&', '|']));
    let mut probe = text.to_owned();
    probe.replace_range(start..start + length, &"? "[..length]);
    let error = probe.parse::<Body>().err()?;
    Some(error.location().offset()).filter(|end| *end > start)
}

/// The first label of a block.
pub(crate) fn kind(block: &Block) -> Option<&str> {
    block.labels.first().map(BlockLabel::as_str)
}

/// Whether a type of data sources belongs to a provider.
pub(crate) fn is_of(kind: &str, provider: &str) -> bool {
    kind.starts_with(&format!("{provider}_"))
}

/// The blocks of data sources, including the blocks inside checks.
pub(crate) fn data_sources(body: &Body) -> impl Iterator<Item = &Block> {
    let checks = body.get_blocks("check");
    let checked = checks.flat_map(|check| check.body.get_blocks("data"));
    body.get_blocks("data").chain(checked)
}

/// The blocks `required_providers`.
pub(crate) fn requirements(body: &Body) -> impl Iterator<Item = &Block> {
    let terraform = body.get_blocks("terraform");
    terraform.flat_map(|block| block.body.get_blocks(REQUIREMENTS))
}

/// The alias of the block of a provider.
pub(crate) fn alias(block: &Block) -> Option<&str> {
    block.body.get_attribute("alias")?.value.as_str()
}

/// The source of a module.
pub(crate) fn source(module: &Block) -> Option<&str> {
    module.body.get_attribute("source")?.value.as_str()
}

/// The place of a part.
pub(crate) fn place_of(part: &impl Span) -> Range<usize> {
    part.span().unwrap_or_default()
}

/// The items of an object: the places of their keys and values.
pub(crate) fn items(object: &Expression) -> Vec<(Range<usize>, Range<usize>)> {
    let place_of_key = |key: &ObjectKey| match key {
        ObjectKey::Ident(name) => place_of(name),
        ObjectKey::Expression(key) => place_of(key),
    };
    let items = object.as_object().into_iter().flatten();
    items
        .map(|(key, value)| (place_of_key(key), place_of(value.expr())))
        .collect()
}

/// The name of a provider or of one of its aliases, which may be quoted, for another provider: `netmgr.west` for
/// `nsxt.west`.
pub(crate) fn renamed(name: &str, from: &str, to: &str) -> Option<String> {
    let (quote, rest) = name.split_at(usize::from(name.starts_with('"')));
    let rest = rest.strip_prefix(from)?;
    let is_longer = rest.starts_with(|next: char| next.is_alphanumeric() || "_-".contains(next));
    (!is_longer).then(|| format!("{quote}{to}{rest}"))
}
