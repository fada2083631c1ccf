//! Words of the schemas of inputs. Several functions share a schema.

/// The words of the schema of an input type, where they differ between functions.
pub(crate) struct Wording {
    /// Title and description of the schema. Default: those of the function.
    pub(super) shared: Option<(&'static str, &'static str)>,
    pub(super) object: &'static str,
    /// Descriptions of single inputs.
    pub(super) inputs: &'static [(&'static str, &'static str)],
}

impl Wording {
    /// The words of a function for such an object.
    pub(crate) const fn of(object: &'static str) -> Self {
        Self {
            shared: None,
            object,
            inputs: &[],
        }
    }

    /// Sets the title and the description of the schema.
    pub(crate) const fn shared(mut self, title: &'static str, description: &'static str) -> Self {
        self.shared = Some((title, description));
        self
    }

    pub(crate) const fn inputs(mut self, inputs: &'static [(&'static str, &'static str)]) -> Self {
        self.inputs = inputs;
        self
    }
}

/// The words of most functions.
pub(crate) const OBJECT: Wording = Wording::of("object");
/// Inputs of functions that select by the exact name.
pub(crate) const NAMED: Wording = OBJECT.shared(
    "NamedInput",
    "Selects an object by id or by its exact display name.",
);
/// Inputs of functions that select by a prefix of the name.
pub(crate) const POLICY_INPUT: Wording = OBJECT.shared(
    "PolicyInput",
    "Selects an object by id, display name or a prefix of its display name.",
);
/// Inputs of functions that select by id or by name, but not by both.
pub(crate) const EXCLUSIVE: Wording = OBJECT
    .shared(
        "ExclusiveInput",
        "Selects an object by id, or by display name or a prefix of it, but not by both.",
    )
    .inputs(&[("id", "Id of the object. Cannot be combined with other inputs.")]);
/// Inputs of functions that select in a tenant context.
pub(crate) const TENANT: Wording = OBJECT.shared(
    "ContextInput",
    "Selects an object of a tenant context by id, display name or a prefix of its display name.",
);
/// Inputs of functions that return name maps.
pub(crate) const MAP: Wording = OBJECT.shared("MapInput", "Input of the functions that return name maps.");
