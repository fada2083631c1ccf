//! The CPU architecture of an instance type, read from its name (decision clusters).

/// CPU architecture of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Architecture {
    /// 64-bit ARM.
    Arm64,
    /// 64-bit x86.
    X86,
}

/// The architecture of an instance type such as `m7gd.large`.
///
/// A family name consists of letters, a generation, and letters for special properties, of which `g` means an
/// AWS ARM processor. `a1` is an ARM family that precedes this rule.
pub(crate) fn architecture_of(instance_type: &str) -> Architecture {
    let family = instance_type.split('.').next().unwrap_or_default();
    let special = family
        .trim_start_matches(|c: char| c.is_ascii_alphabetic())
        .trim_start_matches(|c: char| c.is_ascii_digit());
    if special.contains('g') || family == "a1" {
        Architecture::Arm64
    } else {
        Architecture::X86
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arm_families_are_told_from_their_names() {
        let arm = [
            "a1", "c6g", "c6gd", "c6gn", "c7g", "c8g", "g5g", "hpc7g", "i4g", "i8g", "i8ge", "im4gn",
            "is4gen", "m6g", "m7gd", "m8g", "r6g", "r8g", "t4g", "x2gd", "x8g",
        ];
        for family in arm {
            assert_eq!(
                architecture_of(&format!("{family}.large")),
                Architecture::Arm64,
                "{family}"
            );
        }
    }

    #[test]
    fn other_families_are_x86() {
        let x86 = [
            "c5", "c5n", "c7i-flex", "g4dn", "g4ad", "g5", "g6e", "gr6", "inf2", "m5", "m7a", "mac1", "p4d",
            "p5en", "r5b", "t2", "t3", "t3a", "trn1n", "u-6tb1", "x1e", "z1d",
        ];
        for family in x86 {
            assert_eq!(
                architecture_of(&format!("{family}.large")),
                Architecture::X86,
                "{family}"
            );
        }
    }
}
