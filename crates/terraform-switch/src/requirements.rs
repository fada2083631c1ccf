//! `required_providers`: an entry for the new provider in each folder that names it.

use std::collections::{BTreeMap, BTreeSet};

use hcl_edit::structure::Block;

use crate::file::Pass;
use crate::folders::folder;
use crate::parsed::{REQUIREMENTS, renamed, requirements};
use crate::{Changed, Direction, Outcome, Providers, Step};

const ALIASES: &str = "configuration_aliases";

const CHANGE: &str = "provider requirement";

/// The entry of a block, with the aliases that the entry of the other provider has.
fn entry(pass: &Pass<'_>, block: &Block) -> String {
    let Providers { from, to, source, .. } = *pass.providers;
    let other = block.body.get_attribute(from);
    let members = other
        .and_then(|other| other.value.as_object())
        .into_iter()
        .flatten();
    let arrays = members.filter(|(key, _)| key.as_ident().is_some_and(|key| key.as_str() == ALIASES));
    let aliases = arrays.filter_map(|(_, value)| value.expr().as_array()).flatten();
    let aliases = aliases.filter_map(|alias| renamed(pass.file.at(alias), from, to));
    let aliases = match &aliases.collect::<Vec<_>>()[..] {
        [] => String::new(),
        aliases => format!(", {ALIASES} = [{}]", aliases.join(", ")),
    };
    format!("{to} = {{ source = \"{source}\"{aliases} }}")
}

/// The name of a file with only the requirement, in a folder.
fn own_name(folder: &str, providers: &Providers<'_>) -> String {
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}{}.tf", providers.to)
}

/// Its text.
fn own_text(providers: &Providers<'_>) -> String {
    let Providers { to, source, .. } = providers;
    format!("terraform {{\n  {REQUIREMENTS} {{\n    {to} = {{ source = \"{source}\" }}\n  }}\n}}\n")
}

/// Adds or removes the requirement in all folders. `opaque` are folders with files that may contain one.
pub(crate) fn change(passes: &mut [Pass<'_>], opaque: &BTreeSet<String>, outcome: &mut Outcome) {
    let mut folders: BTreeMap<String, Vec<&mut Pass<'_>>> = BTreeMap::new();
    for pass in passes {
        folders.entry(folder(&pass.file.name)).or_default().push(pass);
    }
    for (name, mut passes) in folders {
        let is_named = passes
            .iter()
            .any(|pass| pass.names_new || pass.switches || pass.keeps);
        match passes[0].direction {
            Direction::Switch if is_named => add(&name, &mut passes, opaque.contains(&name), outcome),
            Direction::Revert if !is_named => remove(&mut passes),
            _ => {}
        }
    }
}

fn add(name: &str, passes: &mut [&mut Pass<'_>], is_opaque: bool, outcome: &mut Outcome) {
    let providers = passes[0].providers;
    let blocks = || {
        let files = passes.iter().enumerate();
        files.flat_map(|(at, pass)| requirements(&pass.file.body).map(move |block| (at, block)))
    };
    let having = |key: &str| blocks().find(|(_, block)| block.body.has_attribute(key));
    if having(providers.to).is_some() {
        return;
    }
    if let Some((at, block)) = having(providers.from).or_else(|| blocks().next()) {
        let pass = &mut passes[at];
        let added = pass.entry(block, entry(pass, block)).add();
        return pass.change(CHANGE, added);
    }
    let file = own_name(name, providers);
    if is_opaque || passes.iter().any(|pass| pass.file.name == file) {
        let Providers { to, source, .. } = providers;
        let what = format!(
            "add {to} = {{ source = \"{source}\" }} to {REQUIREMENTS}, unless a file that is not converted has it"
        );
        let place = if name.is_empty() { "." } else { name };
        return outcome.left.push(Step::of(place, what));
    }
    outcome.changed.push(Changed {
        name: file,
        what: format!("1 {CHANGE}"),
        text: Some(own_text(providers)),
    });
}

fn remove(passes: &mut [&mut Pass<'_>]) {
    for pass in passes {
        let file = pass.file;
        let to = pass.providers.to;
        if file.name == own_name(&folder(&file.name), pass.providers) && file.text == own_text(pass.providers)
        {
            pass.change(CHANGE, (0..file.text.len(), String::new()));
            continue;
        }
        for block in requirements(&file.body) {
            let Some(attribute) = block.body.get_attribute(to) else {
                continue;
            };
            match pass.entry(block, entry(pass, block)).remove() {
                Some(edit) => pass.change(CHANGE, edit),
                None => pass.leave(
                    attribute,
                    format!("remove {to} from {REQUIREMENTS}; it has been changed"),
                ),
            }
        }
    }
}
