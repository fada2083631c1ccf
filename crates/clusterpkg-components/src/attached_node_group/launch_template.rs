//! The launch template of a node group, for settings that node groups do not support directly: encrypted disks,
//! tags of machines, and a hop limit of the metadata service.

use pulumi_plugin::components::{ChildOptions, Output, Properties, Resource, Scope, all, object, properties};

use crate::tags::Tags;

/// The contents of the template.
pub(super) struct LaunchTemplate<'a> {
    pub(super) ami_type: &'a Output<String>,
    pub(super) disk_size: Output<i32>,
    /// Maximum number of hops for responses of the metadata service.
    pub(super) hops: Option<Output<i32>>,
    /// Whether to encrypt the disks and to tag the machines.
    pub(super) is_complete: bool,
    pub(super) tags: &'a Tags,
}

object! {
    /// A disk of the machine.
    struct BlockDevice {
        device_name: &'static str,
        ebs: Volume,
    }

    /// The volume of a disk.
    struct Volume {
        delete_on_termination: Option<&'static str>,
        encrypted: Option<&'static str>,
        volume_size: Option<i32>,
        volume_type: &'static str,
    }
}

impl LaunchTemplate<'_> {
    /// Registers the template. A group with a template cannot set the size of the disk.
    pub(super) fn register(self, scope: &Scope) -> Resource {
        let is_encrypted = self.is_complete;
        let disks = all((self.ami_type.clone(), self.disk_size.clone()));
        let disks = disks.map(move |(image, size)| disks_of(&image, size, is_encrypted));
        let metadata = self.hops.clone().map(|hops| {
            properties! {
                "httpEndpoint": "enabled",
                "httpTokens": "required",
                "httpPutResponseHopLimit": hops,
            }
        });
        let inputs = properties! {
            "metadataOptions": metadata,
            "blockDeviceMappings": disks,
            "tagSpecifications": self.tag_specifications(),
            "tags": self.tags.clone(),
        };
        scope.register(
            "aws:ec2/launchTemplate:LaunchTemplate",
            format!("{}-nodes", scope.name()),
            inputs,
            ChildOptions::new(),
        )
    }

    /// Tags of the resources that AWS creates from the template. EKS does not pass the tags of a node group on.
    fn tag_specifications(&self) -> Option<Vec<Properties>> {
        let tags = self.tags.as_ref().filter(|_| self.is_complete)?;
        let of = |kind: &str| properties! { "resourceType": kind, "tags": tags.clone() };
        Some(["instance", "volume", "network-interface"].map(of).into())
    }
}

/// A reference to the latest version of the template. A new version replaces nodes one at a time.
pub(super) fn reference(template: &Resource) -> Properties {
    let version = template
        .output::<i32>("latestVersion")
        .map(|version| version.to_string());
    properties! { "id": template.id(), "version": version }
}

/// The disks of an image. The last one contains the data of pods and has the configured size.
fn disks_of(image: &str, size: i32, is_encrypted: bool) -> Vec<BlockDevice> {
    let encrypted = is_encrypted.then_some("true");
    let pods = |device_name| BlockDevice {
        device_name,
        ebs: Volume {
            delete_on_termination: Some("true"),
            encrypted,
            volume_size: Some(size),
            volume_type: "gp3",
        },
    };
    // The disk with the operating system has the size of the image.
    let system = || BlockDevice {
        device_name: "/dev/xvda",
        ebs: Volume {
            delete_on_termination: None,
            encrypted,
            volume_size: None,
            volume_type: "gp3",
        },
    };
    match image {
        image if image.starts_with("BOTTLEROCKET") && is_encrypted => vec![system(), pods("/dev/xvdb")],
        image if image.starts_with("BOTTLEROCKET") => vec![pods("/dev/xvdb")],
        image if image.starts_with("WINDOWS") => vec![pods("/dev/sda1")],
        _ => vec![pods("/dev/xvda")],
    }
}
