//! Families of machine images.

/// A family of machine images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImageFamily {
    AmazonLinux,
    Bottlerocket,
    Custom,
    Windows,
}

/// Names of families in a node class. The alias of a family is its name in lower case.
pub(super) const NAMES_OF_FAMILIES: [&str; 7] = [
    "AL2",
    "AL2023",
    "Bottlerocket",
    "Custom",
    "Windows2019",
    "Windows2022",
    "Windows2025",
];
pub(super) const DEFAULT_FAMILY: &str = "AL2023";
/// Root device of images of Amazon Linux.
pub(super) const DEFAULT_ROOT_DEVICE: &str = "/dev/xvda";

impl ImageFamily {
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "AL2" | "AL2023" => Some(Self::AmazonLinux),
            "Bottlerocket" => Some(Self::Bottlerocket),
            "Custom" => Some(Self::Custom),
            "Windows2019" | "Windows2022" | "Windows2025" => Some(Self::Windows),
            _ => None,
        }
    }

    /// Its disks. The last one contains the data of pods.
    pub(super) fn devices(self) -> &'static [&'static str] {
        match self {
            Self::AmazonLinux | Self::Custom => &[DEFAULT_ROOT_DEVICE],
            Self::Bottlerocket => &["/dev/xvda", "/dev/xvdb"],
            Self::Windows => &["/dev/sda1"],
        }
    }
}
