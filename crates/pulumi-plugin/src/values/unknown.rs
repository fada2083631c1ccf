//! Unknown values and the strings that represent them.

/// A value that is not known yet, with its expected type.
///
/// In practice, the string variant is used for all types. The others exist so that conversions are lossless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unknown {
    /// A boolean.
    Bool,
    /// A number.
    Number,
    /// A string, or any other type.
    #[default]
    String,
    /// An array.
    Array,
    /// An asset.
    Asset,
    /// An archive.
    Archive,
    /// An object.
    Object,
}

impl Unknown {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Bool,
        Self::Number,
        Self::String,
        Self::Array,
        Self::Asset,
        Self::Archive,
        Self::Object,
    ];

    /// The string that represents this variant.
    #[must_use]
    pub const fn sentinel(self) -> &'static str {
        match self {
            Self::Bool => "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
            Self::Number => "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
            Self::String => "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
            Self::Array => "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
            Self::Asset => "030794c1-ac77-496b-92df-f27374a8bd58",
            Self::Archive => "e48ece36-62e2-4504-bad9-02848725956a",
            Self::Object => "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
        }
    }

    /// The variant that `text` represents. `None` for an ordinary string.
    #[must_use]
    pub fn from_sentinel(text: &str) -> Option<Self> {
        // Almost all strings are ordinary ones of another length.
        if text.len() != Self::String.sentinel().len() {
            return None;
        }
        Self::ALL.into_iter().find(|kind| kind.sentinel() == text)
    }
}
