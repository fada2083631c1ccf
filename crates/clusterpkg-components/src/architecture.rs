//! The CPU architecture and the accelerators of an instance type, read from its name (decision clusters).

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

/// Accelerators that need a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accelerator {
    /// AWS Inferentia and Trainium.
    Neuron,
    Nvidia,
}

/// The accelerator of an instance type such as `g6.xlarge`, if it has one.
pub(crate) fn accelerator_of(instance_type: &str) -> Option<Accelerator> {
    let family = instance_type.split('.').next().unwrap_or_default();
    let series = family
        .split(|c: char| c.is_ascii_digit())
        .next()
        .unwrap_or_default();
    match series {
        // The accelerator of this family is by AMD.
        "g" if family == "g4ad" => None,
        "g" | "gr" | "p" => Some(Accelerator::Nvidia),
        "inf" | "trn" => Some(Accelerator::Neuron),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arm_families_are_recognized_by_name() {
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

    #[test]
    fn accelerators_are_recognized_by_the_names_of_families() {
        for (family, expected) in [
            ("g4dn", Some(Accelerator::Nvidia)),
            ("g5g", Some(Accelerator::Nvidia)),
            ("gr6", Some(Accelerator::Nvidia)),
            ("p5en", Some(Accelerator::Nvidia)),
            ("inf2", Some(Accelerator::Neuron)),
            ("trn1n", Some(Accelerator::Neuron)),
            ("g4ad", None),
            ("m7g", None),
            ("i4g", None),
            ("t3", None),
        ] {
            assert_eq!(accelerator_of(&format!("{family}.xlarge")), expected, "{family}");
        }
    }
}
