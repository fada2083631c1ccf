//! Machines of a group: images, disks and capacity types.

use pulumi_plugin::components::{ChildValues, InputProblems, List, Output, Scope, TextRule, all, all_of};
use pulumi_plugin::values::{PropertyPath, Value};

use super::{AttachedNodeGroupInputs, DEFAULT_DISK_SIZE};
use crate::architecture::{Accelerator, Architecture, accelerator_of, architecture_of};
use crate::check;
use crate::versions::{LAST_OF_AL2, OLD_LINUX, WINDOWS_ADDRESSES, minor_of};

/// Image types that AWS supports without a launch template.
pub(super) const AMI_TYPES: [&str; 22] = [
    "AL2023_x86_64_STANDARD",
    "AL2023_ARM_64_STANDARD",
    "AL2023_x86_64_NVIDIA",
    "AL2023_ARM_64_NVIDIA",
    "AL2023_x86_64_NEURON",
    "AL2_x86_64",
    "AL2_x86_64_GPU",
    "AL2_ARM_64",
    "BOTTLEROCKET_x86_64",
    "BOTTLEROCKET_ARM_64",
    "BOTTLEROCKET_x86_64_FIPS",
    "BOTTLEROCKET_ARM_64_FIPS",
    "BOTTLEROCKET_x86_64_NVIDIA",
    "BOTTLEROCKET_ARM_64_NVIDIA",
    "BOTTLEROCKET_x86_64_NVIDIA_FIPS",
    "BOTTLEROCKET_ARM_64_NVIDIA_FIPS",
    "WINDOWS_CORE_2019_x86_64",
    "WINDOWS_FULL_2019_x86_64",
    "WINDOWS_CORE_2022_x86_64",
    "WINDOWS_FULL_2022_x86_64",
    "WINDOWS_CORE_2025_x86_64",
    "WINDOWS_FULL_2025_x86_64",
];

/// Capacity types that AWS supports without a launch template.
pub(super) const CAPACITY_TYPES: [&str; 2] = ["ON_DEMAND", "SPOT"];

/// Checks image, disk and capacity.
pub(super) fn check(inputs: &AttachedNodeGroupInputs, problems: &mut InputProblems) {
    let no_template = "is set by `children.nodes`, beside `useLaunchTemplate` and `children.launch-template`";
    let special = |name: &'static str| move |value: &str| value != name;
    let image = inputs.ami_type.as_ref();
    check::form("amiType", image, special("CUSTOM"), no_template, problems);
    let capacity = inputs.capacity_type.as_ref();
    check::form(
        "capacityType",
        capacity,
        special("CAPACITY_BLOCK"),
        no_template,
        problems,
    );
    check_architecture(inputs, problems);
    check_disk(inputs, problems);
    check_versions(inputs, problems);
}

/// Whether the program gives the launch template of a group an image of its own. AWS then accepts neither another type of
/// image nor a version (`CreateNodegroup` in the API reference of EKS).
pub(crate) fn is_own(children: Option<&ChildValues>, template: &str) -> bool {
    children.is_some_and(|children| children.given(template, "imageId").is_some())
}

/// Checks that own values for a group and for its launch template agree: an image in the template requires the type `CUSTOM`
/// in the group, and only one of the two has instance types.
pub(crate) fn check_template(
    children: Option<&ChildValues>,
    nodes: &str,
    template: &str,
    problems: &mut InputProblems,
) {
    let Some(children) = children else { return };
    let given = |child: &str, property: &str| children.given(child, property);
    let path = |child: &str, property: &str| {
        PropertyPath::from("children")
            .join(child.to_owned())
            .join(property.to_owned())
    };
    // The inner value is absent while it is unknown.
    let kind = given(nodes, "amiType").map(|kind| kind.known().and_then(Value::as_str));
    let is_custom = matches!(kind, Some(None | Some("CUSTOM"))) || children.removes(nodes, "amiType");
    let (kind_path, image) = (path(nodes, "amiType"), path(template, "imageId"));
    if kind == Some(Some("CUSTOM")) && !is_own(Some(children), template) {
        problems.add(&kind_path, format!("CUSTOM requires {image}"));
    }
    if is_own(Some(children), template) && !is_custom {
        problems.add(image, format!("requires {kind_path} CUSTOM"));
    }
    if given(template, "instanceType").is_some() && !children.removes(nodes, "instanceTypes") {
        let reason = format!(
            "requires that {} is removed with `without`",
            path(nodes, "instanceTypes")
        );
        problems.add(path(template, "instanceType"), reason);
    }
}

/// Warns about Amazon Linux 2, which newer cluster versions do not support. The version of the cluster is not
/// an input here.
pub(super) fn warn_of_old_linux(scope: &Scope, image: Option<&Output<String>>) {
    let Some(image) = image.cloned() else { return };
    scope.warn_if(image.map(|image| image.starts_with("AL2_").then(|| OLD_LINUX.to_owned())));
}

/// Warns about images of Windows, whose pods get no addresses by default.
pub(super) fn warn_of_windows(scope: &Scope, image: Option<&Output<String>>) {
    let Some(image) = image.cloned() else { return };
    scope.warn_if(image.map(|image| image.starts_with("WINDOWS").then(|| WINDOWS_ADDRESSES.to_owned())));
}

/// Warns about accelerators for which the image has no driver. The default image has none.
pub(super) fn warn_of_missing_driver(scope: &Scope, image: &Output<String>, types: &List<String>) {
    let parts = (image.clone(), types.clone().then(all_of));
    scope.warn_if(all(parts).map(|(image, types)| {
        let (instance_type, better) = types
            .iter()
            .find_map(|instance_type| Some((instance_type, image_with_driver(&image, instance_type)?)))?;
        Some(format!(
            "the image {image} has no driver for the accelerator of {instance_type}; set amiType to {better}, which \
             replaces an existing group"
        ))
    }));
}

/// The image that has the driver for an instance type, if `image` has none.
fn image_with_driver(image: &str, instance_type: &str) -> Option<String> {
    let accelerator = accelerator_of(instance_type)?;
    let has_driver = match accelerator {
        Accelerator::Neuron => {
            image.contains("NEURON") || image.ends_with("_GPU") || image.starts_with("BOTTLEROCKET")
        }
        Accelerator::Nvidia => image.contains("NVIDIA") || image.ends_with("_GPU"),
    };
    if has_driver || image.starts_with("WINDOWS") {
        return None;
    }
    let machine = match architecture_of(instance_type) {
        Architecture::Arm64 => "ARM_64",
        Architecture::X86 => "x86_64",
    };
    Some(match accelerator {
        Accelerator::Neuron => "AL2023_x86_64_NEURON".to_owned(),
        Accelerator::Nvidia if image.starts_with("BOTTLEROCKET") => format!("BOTTLEROCKET_{machine}_NVIDIA"),
        Accelerator::Nvidia => format!("AL2023_{machine}_NVIDIA"),
    })
}

/// Maximum of AWS for the metadata service.
pub(crate) const MOST_HOPS: i32 = 64;

fn known(value: Option<&Output<String>>) -> Option<&str> {
    value.and_then(Output::peek_known).map(String::as_str)
}

/// Checks that the image has the architecture of the machines.
fn check_architecture(inputs: &AttachedNodeGroupInputs, problems: &mut InputProblems) {
    let Some(image) = known(inputs.ami_type.as_ref()) else {
        return;
    };
    let of_image = match image {
        name if name.contains("_ARM_64") => Architecture::Arm64,
        name if name.contains("_x86_64") => Architecture::X86,
        _ => return,
    };
    let mut types = check::known_elements(inputs.instance_types.as_ref());
    let differs = match &inputs.instance_types {
        Some(_) => types.any(|(_, instance_type)| architecture_of(instance_type) != of_image),
        None => of_image != Architecture::X86,
    };
    if differs {
        problems.add("amiType", "does not match the CPU architecture of instanceTypes");
    }
}

/// A release of an image: `1.35.1-20260801`, `1.50.0-0a1b2c3d` (Bottlerocket), `1.35-2026.08.01` (Windows).
pub(super) const RELEASE: TextRule = TextRule::new(
    "^[0-9]+[.][0-9]+([.][0-9]+-[0-9a-z]+|-[0-9]{4}[.][0-9]{2}[.][0-9]{2})$",
    "must be a release of the image, such as 1.35.1-20260801",
);

/// Checks that AWS publishes the image for the version of Kubernetes. Bottlerocket numbers its releases independently.
fn check_versions(inputs: &AttachedNodeGroupInputs, problems: &mut InputProblems) {
    let release = inputs.release_version.as_ref();
    let image = match &inputs.ami_type {
        Some(image) => known(Some(image)),
        None => Some("AL2023"),
    };
    let build = known(release).and_then(|release| release.split_once('-'));
    if let (Some(image), Some((_, build))) = (image, build) {
        let fits = match image {
            _ if image.starts_with("WINDOWS") => build.contains('.'),
            _ if image.starts_with("BOTTLEROCKET") => !build.contains('.'),
            _ => build.bytes().all(|byte| byte.is_ascii_digit()),
        };
        if !fits {
            problems.add("releaseVersion", "is a release of another type of image");
        }
    }
    let Some(image) = image.filter(|image| !image.starts_with("BOTTLEROCKET")) else {
        return;
    };
    let version = known(inputs.version.as_ref()).and_then(minor_of);
    let release = known(release).and_then(minor_of);
    if let (Some(version), Some(release)) = (version, release)
        && version != release
    {
        let (major, minor) = version;
        let reason =
            format!("is not a release for Kubernetes {major}.{minor}, which is the version of the group");
        problems.add("releaseVersion", reason);
    }
    if image.starts_with("AL2_") && version.or(release).is_some_and(|version| version > LAST_OF_AL2) {
        problems.add("amiType", OLD_LINUX);
    }
}

/// Checks that the disk is not smaller than its image.
fn check_disk(inputs: &AttachedNodeGroupInputs, problems: &mut InputProblems) {
    let size = match &inputs.disk_size {
        Some(size) => size.peek_known().copied(),
        None => Some(DEFAULT_DISK_SIZE),
    };
    let Some(size) = size else { return };
    if size < 1 {
        problems.add("diskSize", "must be at least 1");
        return;
    }
    let image = match &inputs.ami_type {
        Some(image) => image.peek_known().map(String::as_str),
        None => Some("AL2023"),
    };
    let (least, family) = match image {
        Some(image) if image.starts_with("AL2") => (20, "Amazon Linux"),
        Some(image) if image.starts_with("WINDOWS") => (50, "Windows"),
        _ => return,
    };
    if size < least {
        let default = match inputs.disk_size {
            None => format!("; the default is {DEFAULT_DISK_SIZE}"),
            Some(_) => String::new(),
        };
        problems.add(
            "diskSize",
            format!("must be at least {least} for images of {family}{default}"),
        );
    }
}
