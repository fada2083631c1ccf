//! Policy documents of every component in every partition, and the kubeconfig.

use std::io::Write as _;

use clusterpkg_components::{AttachedNodeGroup, AttachedServerlessProfile, Cluster, IamServiceAccountRole};
use pulumi_plugin::components::Component;
use serde_json::{Value as Json, json};

use crate::cluster::{everything, least};
use crate::stage::{AWS, CHINA, EUROPE, GOVERNMENT, Partition, stage, stage_in};

/// Every policy document, by the name of the child that has it.
async fn documents<C: Component>(partition: Partition, inputs: Json) -> Json {
    let shown = stage_in(partition).show::<C>(inputs).await;
    let mut documents = serde_json::Map::new();
    for registration in &shown.record.registrations {
        let inputs = crate::oracle::plain(&registration.inputs);
        for property in ["assumeRolePolicy", "policy"] {
            if let Some(document) = inputs[property].as_str() {
                documents.insert(registration.name.clone(), serde_json::from_str(document).unwrap());
            }
        }
        if let Some(arn) = inputs["policyArn"].as_str().filter(|arn| arn.contains("::aws:")) {
            documents.insert(format!("{} (attached)", registration.name), json!(arn));
        }
    }
    Json::Object(documents)
}

#[tokio::test]
async fn documents_in_the_usual_partition() {
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&documents::<Cluster>(AWS, everything()).await).unwrap()
    );
}

/// Documents in other partitions are the usual documents, but for partition and region.
async fn differ_by_place_alone<C: Component>(inputs: Json) {
    let usual = serde_json::to_string(&documents::<C>(AWS, inputs.clone()).await).unwrap();
    assert!(usual.contains("Principal"), "{} has documents", C::TOKEN);
    for partition in [CHINA, EUROPE, GOVERNMENT] {
        let expected = usual
            .replace("arn:aws:", &format!("arn:{}:", partition.name))
            .replace(AWS.region, partition.region)
            // Other partitions are not known to have the newer policy.
            .replace(
                "policy/AmazonEBSCSIDriverPolicyV2",
                "policy/service-role/AmazonEBSCSIDriverPolicy",
            );
        // The trust of machines; what the autoscaler may pass a role to has both names everywhere.
        let expected = match partition.name {
            "aws-cn" => expected.replace(
                r#""Service":["ec2.amazonaws.com"]"#,
                r#""Service":["ec2.amazonaws.com.cn"]"#,
            ),
            _ => expected,
        };
        let found = serde_json::to_string(&documents::<C>(partition, inputs.clone()).await).unwrap();
        assert_eq!(found, expected, "{} in {}", C::TOKEN, partition.name);
    }
}

/// Except for the machines of China, no partition has names of services that end in its own suffix, although the
/// provider reports one. The cloud refuses a trust with such a name.
#[tokio::test]
async fn documents_differ_between_partitions_by_partition_and_region_alone() {
    differ_by_place_alone::<Cluster>(everything()).await;
    let group = json!({ "clusterName": "shop", "subnetIds": ["subnet-1"] });
    differ_by_place_alone::<AttachedNodeGroup>(group).await;
    let profile =
        json!({ "clusterName": "shop", "subnetIds": ["subnet-1"], "selectors": [{ "namespace": "web" }] });
    differ_by_place_alone::<AttachedServerlessProfile>(profile).await;
    let role = json!({
        "oidcProviderArn": "arn:aws-iso:iam::123456789012:oidc-provider/oidc.example/id/A",
        "oidcProviderUrl": "oidc.example/id/A",
        "namespaceName": "web",
        "serviceAccountName": "shop",
    });
    differ_by_place_alone::<IamServiceAccountRole>(role).await;
}

#[tokio::test]
async fn the_kubeconfig_works_elsewhere_and_is_secret() {
    let shown = stage().show::<Cluster>(least()).await;
    let pulumi_plugin::values::Value::Secret(text) = &shown.made.state["kubeconfig"] else {
        panic!("not secret")
    };
    let config: Json = serde_json::from_str(text.as_str().unwrap()).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&config).unwrap());
    let provider = shown.child(":kubernetes", "main-k8s-provider");
    assert_eq!(provider.inputs["kubeconfig"], shown.made.state["kubeconfig"]);
    let arn = shown.inputs(":kubernetes", "main-k8s-provider")["clusterIdentifier"].clone();
    assert_eq!(arn, "arn:aws:eks:eu-west-1:123456789012:main");
}

/// If `kubectl` is installed, it reads the kubeconfig that clients will be given.
#[tokio::test]
async fn kubectl_accepts_the_kubeconfig() {
    let shown = stage().show::<Cluster>(least()).await;
    let text = shown.inputs(":kubernetes", "main-k8s-provider")["kubeconfig"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = std::env::temp_dir().join(format!("clusterpkg-kubeconfig-{}.json", std::process::id()));
    std::fs::write(&path, text.replace("some-data", "c29tZS1kYXRh")).unwrap();
    let view = std::process::Command::new("kubectl")
        .args([
            "config",
            "view",
            "--minify",
            "--raw",
            "-o",
            "jsonpath={.contexts[0].name}",
            "--kubeconfig",
        ])
        .arg(&path)
        .output();
    std::fs::remove_file(&path).unwrap();
    match view {
        Ok(view) => assert_eq!(String::from_utf8_lossy(&view.stdout), "main", "{view:?}"),
        // Bypasses the capture of the test harness.
        Err(_) => {
            let skipped = "skipped kubectl_accepts_the_kubeconfig: there is no kubectl";
            writeln!(std::io::stderr(), "{skipped}").unwrap();
        }
    }
}
