//! The node class: image, disks, network and role of the machines.

use pulumi_plugin::components::{List, Output, all, object};

use super::image_family::ImageFamily;
use super::inputs::AutoscaledNodeGroupInputs;
use super::machine::{KubeletSettings, NodeMetadataOptions};
use crate::tags::Tags;

/// Kind of the object.
pub(super) const KIND: &str = "EC2NodeClass";

/// Size of the system volume of Bottlerocket.
const BOTTLEROCKET_SYSTEM_SIZE: &str = "4Gi";

object! {
    /// `spec` of the node class.
    pub(super) struct NodeClassSpec {
        ami_family: Output<String>,
        ami_selector_terms: Vec<ImageTerm>,
        block_device_mappings: Output<Vec<DeviceMapping>>,
        kubelet: Option<Output<KubeletSettings>>,
        metadata_options: Option<Output<NodeMetadataOptions>>,
        role: Output<String>,
        security_group_selector_terms: List<IdTerm>,
        subnet_selector_terms: List<IdTerm>,
        tags: Tags,
        user_data: Option<Output<String>>,
    }

    /// The machine image: an id, or the alias of the latest image of a family.
    pub(super) struct ImageTerm {
        alias: Option<Output<String>>,
        id: Option<Output<String>>,
    }

    /// A reference by id.
    pub(super) struct IdTerm {
        id: Output<String>,
    }

    /// A disk of the machine.
    pub(super) struct DeviceMapping {
        device_name: String,
        ebs: MappedVolume,
    }

    /// An encrypted disk.
    pub(super) struct MappedVolume {
        encrypted: bool,
        volume_size: Output<String>,
        volume_type: String,
    }
}

impl NodeClassSpec {
    pub(super) fn from_inputs(inputs: &AutoscaledNodeGroupInputs) -> Self {
        let family = inputs.ami_family();
        let image = match &inputs.ami_id {
            Some(id) => ImageTerm {
                id: Some(id.clone()),
                alias: None,
            },
            None => ImageTerm {
                id: None,
                alias: Some(alias(inputs, &family)),
            },
        };
        Self {
            block_device_mappings: disks(inputs, &family),
            ami_family: family,
            ami_selector_terms: vec![image],
            role: inputs.node_role.clone(),
            security_group_selector_terms: by_id(&inputs.security_group_ids),
            subnet_selector_terms: by_id(&inputs.subnet_ids),
            kubelet: inputs.kubelet.clone(),
            metadata_options: inputs.metadata_options.clone(),
            tags: inputs.tags.clone(),
            user_data: inputs.user_data.clone(),
        }
    }
}

/// The name and the version of the image of a family.
fn alias(inputs: &AutoscaledNodeGroupInputs, family: &Output<String>) -> Output<String> {
    all((family.clone(), inputs.ami_version()))
        .map(|(family, version)| format!("{}@{version}", family.to_lowercase()))
}

fn by_id(ids: &List<String>) -> List<IdTerm> {
    ids.clone()
        .map(|ids| ids.into_iter().map(|id| Output::known(IdTerm { id })).collect())
}

/// The disks of a family. The configured size is that of the disk with the data of pods (decision clusters).
fn disks(inputs: &AutoscaledNodeGroupInputs, family: &Output<String>) -> Output<Vec<DeviceMapping>> {
    let size = inputs.disk_size.0.clone();
    let root = match &inputs.root_device_name {
        Some(device) => device.clone().map(Some),
        None => Output::known(None),
    };
    all((family.clone(), root)).map(move |(name, root)| {
        let devices: Vec<_> = match root {
            Some(root) => vec![root],
            None => {
                let devices = ImageFamily::named(&name).map_or(&[][..], ImageFamily::devices);
                devices.iter().map(|device| (*device).to_owned()).collect()
            }
        };
        let disk = |(position, device): (usize, &String)| DeviceMapping {
            device_name: device.clone(),
            ebs: MappedVolume {
                encrypted: true,
                volume_size: if position + 1 == devices.len() {
                    size.clone()
                } else {
                    BOTTLEROCKET_SYSTEM_SIZE.into()
                },
                volume_type: "gp3".to_owned(),
            },
        };
        devices.iter().enumerate().map(disk).collect()
    })
}
