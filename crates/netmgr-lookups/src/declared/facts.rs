//! Facts about a declared function: its specification, and the kind of its objects.

use crate::read::ObjectKind;

/// The facts of a function, whose summary is its doc comment.
macro_rules! spec {
    ($new:ident $function:literal, $noun:literal, $doc:expr; $($fact:ident($($argument:expr),*)).* $(,)?) => {
        $crate::spec::LookupSpec::$new($function, $noun, $doc.trim_ascii_start())
            $(.$fact($($argument),*))*
    };
}
pub(crate) use spec;

/// A declared function. Other functions may read objects of its kind.
pub(crate) trait OfKind {
    /// The kind of its objects.
    const KIND: &'static ObjectKind;
}
