//! Errors and warnings for users, with the argument that they concern.

/// An error or a warning that hosts show with the part of the configuration that it concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the operation failed.
    pub severity: DiagnosticSeverity,
    /// Short description without a final stop.
    pub summary: String,
    /// Explanation in sentences. Hosts wrap its lines, except those that begin with a space.
    pub detail: String,
    /// The argument that it concerns; empty for the whole block.
    pub path: Path,
}

/// Severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagnosticSeverity {
    /// The operation failed.
    Error,
    /// The operation continues.
    Warning,
}

impl Diagnostic {
    /// An error about the whole block.
    pub fn error(summary: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            severity: DiagnosticSeverity::Error,
            summary: summary.into(),
            detail: detail.into(),
            path: Path::default(),
        }
    }

    /// A warning about the whole block.
    pub fn warning(summary: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            severity: DiagnosticSeverity::Warning,
            ..Self::error(summary, detail)
        }
    }

    /// A diagnostic about an argument.
    #[must_use]
    pub fn at(mut self, path: Path) -> Self {
        self.path = path;
        self
    }
}

/// The path of an argument.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Path(pub Vec<AttributeStep>);

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeStep {
    /// An attribute or a block of an object.
    Attribute(String),
    /// An element of a list or a repeated block, from 0.
    Index(usize),
    /// An element of a map.
    Key(String),
}

impl Path {
    /// The path of an attribute or a block.
    pub fn attribute(name: impl Into<String>) -> Self {
        Self(vec![AttributeStep::Attribute(name.into())])
    }

    /// The path of `step` below this path.
    #[must_use]
    pub fn then(mut self, step: AttributeStep) -> Self {
        self.0.push(step);
        self
    }
}
