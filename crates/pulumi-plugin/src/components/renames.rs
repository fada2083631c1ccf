//! Former names of the children of a component that was renamed.
//!
//! Names of children start with that of the component. The engine only infers former names from the name of the parent,
//! which does not work for a child whose parent is another child.

use crate::components::registration::Alias;

/// Former names of a component.
pub(crate) struct Renames {
    name: String,
    former: Vec<String>,
}

impl Renames {
    /// Collects the former names of the component `name` from the aliases that the program gave it.
    pub(crate) fn of(name: &str, aliases: &[Alias]) -> Self {
        let former = aliases.iter().filter_map(Alias::name);
        Self {
            name: name.to_owned(),
            former: former
                .filter(|former| *former != name)
                .map(str::to_owned)
                .collect(),
        }
    }

    /// The first former name; without one, the current name.
    pub(crate) fn original_name(&self) -> &str {
        self.former.first().unwrap_or(&self.name)
    }

    /// The former names of a child, at any depth.
    pub(crate) fn of_child(&self, child: &str) -> impl Iterator<Item = Alias> {
        let rest = child.strip_prefix(self.name.as_str());
        let former = rest.map(|rest| {
            self.former
                .iter()
                .map(move |name| Alias::named(format!("{name}{rest}")))
        });
        former.into_iter().flatten()
    }
}
