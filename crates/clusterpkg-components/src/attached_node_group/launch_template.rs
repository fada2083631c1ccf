//! The launch template for a hop limit of the metadata service, which node groups do not support directly.

use pulumi_plugin::components::{ChildOptions, Output, Properties, Resource, Scope, properties};

use crate::tags::Tags;

/// Registers a template with the limit and the disk, which a group with a template cannot set.
pub(super) fn launch_template(
    scope: &Scope,
    hops: Output<i32>,
    ami_type: &Output<String>,
    disk_size: Output<i32>,
    tags: &Tags,
) -> Resource {
    let device = ami_type.clone().map(|image| device_of(&image).to_owned());
    let disk = properties! { "volumeSize": disk_size, "volumeType": "gp3", "deleteOnTermination": "true" };
    let inputs = properties! {
        "metadataOptions": properties! {
            "httpEndpoint": "enabled",
            "httpTokens": "required",
            "httpPutResponseHopLimit": hops,
        },
        "blockDeviceMappings": [properties! { "deviceName": device, "ebs": disk }],
        "tags": tags.clone(),
    };
    scope.register(
        "aws:ec2/launchTemplate:LaunchTemplate",
        format!("{}-nodes", scope.name()),
        inputs,
        ChildOptions::new(),
    )
}

/// A reference to the latest version of the template. A new version replaces nodes one at a time.
pub(super) fn reference(template: &Resource) -> Properties {
    let version = template
        .output::<i32>("latestVersion")
        .map(|version| version.to_string());
    properties! { "id": template.id(), "version": version }
}

/// The disk that pods fill.
fn device_of(image: &str) -> &'static str {
    match image {
        image if image.starts_with("BOTTLEROCKET") => "/dev/xvdb",
        image if image.starts_with("WINDOWS") => "/dev/sda1",
        _ => "/dev/xvda",
    }
}
