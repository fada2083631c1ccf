//! Settings of the intrusion service and its signatures. The security settings of gateways are in `gateway_security.rs`.

use std::sync::Arc;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure, Get};
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::security::{GetPolicyIdpsSignatureVersion, WITH_IDS};
use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::ResultKind;
use crate::declared::rules::Rule::{IdInVersion, Keyword, NoEffect, Required, Unchecked};
use crate::declared::{OfKind as _, POLICY, calls, output};
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, Read};
use crate::functions::gateway_security::{PolicyGatewaySecurityConfig, gateway_config};

/// Path of the intrusion service.
const SERVICE: &str = "/infra/settings/firewall/security/intrusion-services";
/// Path of the intrusion service below the host.
const ROOT: &str = "/policy/api/v1/infra/settings/firewall/security/intrusion-services";

/// Signatures of a version.
const SIGNATURE: ObjectKind = ObjectKind::nested("signature", "", "signatures").listed_with(&[]);
/// Versions of custom signatures.
const CUSTOM_VERSION: ObjectKind = ObjectKind::infra(
    "version of custom signatures",
    "",
    "settings/firewall/security/intrusion-services/custom-signature-versions",
)
.listed_with(&[]);
/// Custom signatures of a version.
const CUSTOM_SIGNATURE: ObjectKind =
    ObjectKind::nested("custom signature", "", "custom-signatures").listed_with(&[]);

calls! {
    CALLS;

    /// Reads the security settings of a tier-0 or tier-1 gateway.
    GetPolicyGatewaySecurityConfig = "getPolicyGatewaySecurityConfig", "gateway security configuration" {
        inputs: {
            /// Id of the tier-0 gateway. This or `tier1Id` is required.
            tier0_id: Option<String> => Unchecked,
            /// Id of the tier-1 gateway. Alternative to `tier0Id`.
            tier1_id: Option<String> => Unchecked,
        },
        output: PolicyGatewaySecurityConfig => gateway_config(tier0_id, tier1_id),
        facts: availability(POLICY).answer(ResultKind::Fact).example(r#"{"tier1Id": "t1-web"}"#)
    }

    /// Reads a custom signature of the intrusion service.
    GetPolicyIdpsCustomSignature = "getPolicyIdpsCustomSignature", "custom signature" {
        inputs: {
            /// Id of the signature, or `VERSION/ID`.
            id: String => IdInVersion,
            /// Id of the version. Required unless `id` contains it.
            signature_version_id: Option<String> => Unchecked,
        },
        output: PolicyIdpsCustomSignature => custom_signature(id, signature_version_id),
        reads: [&CUSTOM_VERSION, &CUSTOM_SIGNATURE],
        facts: availability(POLICY)
            .since(WITH_IDS)
            .answer(ResultKind::Fact)
            .example(r#"{"id": "1000001", "signatureVersionId": "default"}"#)
    }

    /// Reads the settings of the intrusion service.
    GetPolicyIdpsSettings = "getPolicyIdpsSettings", "intrusion service setting" {
        inputs: {
            /// Id of a custom signature version whose settings are also read.
            custom_signature_version_id: Option<String> => Unchecked,
            /// Display name. Has no effect.
            display_name: Option<String> => NoEffect,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
        },
        output: PolicyIdpsSettings => settings(custom_signature_version_id),
        reads: [&CUSTOM_VERSION],
        facts: availability(POLICY).since(WITH_IDS).answer(ResultKind::Fact).without_effect(&["displayName", "id"])
    }

    /// Compares the custom signatures of a version with the signatures in use.
    GetPolicyIdpsSignatureDiff = "getPolicyIdpsSignatureDiff", "comparison of custom signatures" {
        inputs: {
            /// Id of the version.
            signature_version_id: String => Required,
        },
        output: PolicyIdpsSignatureDiff => signature_diff(signature_version_id),
        reads: [&CUSTOM_VERSION],
        facts: availability(POLICY)
            .since(WITH_IDS)
            .answer(ResultKind::Fact)
            .example(r#"{"signatureVersionId": "default"}"#)
    }

    /// Lists the signatures of a version of the intrusion service.
    GetPolicyIdpsSystemSignatures = "getPolicyIdpsSystemSignatures", "signature" {
        inputs: {
            /// Class type that the signatures must have.
            class_type: Option<String> => Unchecked,
            /// Part of the display name, ignoring case.
            display_name: Option<String> => Unchecked,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
            /// Product that the signatures must apply to.
            product_affected: Option<String> => Unchecked,
            /// Severity: `LOW`, `MEDIUM`, `HIGH` or `CRITICAL`.
            severity: Option<String> => Keyword(&["LOW", "MEDIUM", "HIGH", "CRITICAL"]),
            /// Id of the version. Default: the active one.
            version_id: Option<String> => Unchecked,
        },
        output: PolicyIdpsSystemSignatures =>
            system_signatures(version_id, severity, product_affected, display_name, class_type),
        reads: [GetPolicyIdpsSignatureVersion::KIND, &SIGNATURE],
        facts: availability(POLICY)
            .since(WITH_IDS)
            .answer(ResultKind::Table)
            .without_effect(&["id"])
            .example(r#"{"severity": "CRITICAL"}"#)
    }
}

output! {
    ["Output of `getPolicyIdpsCustomSignature`."]
    PolicyIdpsCustomSignature {
        bare;
        /// Display name.
        display_name: String => ManagedObject::name,
        /// Whether the signature is enabled.
        enable: bool,
        /// Ids of the version and the signature: `VERSION/ID`.
        id: String,
        /// Name of the signature.
        name: String,
        /// Original text of the signature.
        original_signature: String,
        /// Id as it was written.
        original_signature_id: String,
        /// Policy path.
        path: String,
        /// Revision number.
        revision: Option<i64> = "_revision",
        /// Severity.
        severity: String,
        /// Id of the signature.
        signature_id: String,
        /// Revision of the signature.
        signature_revision: String,
        /// Severity as it was written.
        signature_severity: String,
        /// Id of the version.
        signature_version_id: String,
        /// Message of the validation; empty if there is none.
        validation_message: String,
        /// Status of the validation.
        validation_status: String,
    }
}

async fn custom_signature(
    cx: &LookupContext<'_>,
    id: &str,
    version: &Option<String>,
) -> Result<PolicyIdpsCustomSignature, Error> {
    let (version, id) = match (id.split_once('/'), given(version)) {
        (Some((version, id)), _) => (version, id),
        (None, Some(version)) => (version, id),
        (None, None) => {
            let problem =
                InvalidProperty::new("signatureVersionId", "is required unless `id` is `VERSION/ID`");
            return Err(cx.invalid(vec![problem]));
        }
    };
    let get = Get::new(ROOT)
        .segment("custom-signature-versions")
        .segment(version)
        .segment("custom-signatures")
        .segment(id);
    let what = format!(
        "custom signature {} of version {}",
        cx.quoted(id),
        cx.quoted(version)
    );
    let signature = match cx.get(what, get).await {
        // Signatures that are not published are only in the list.
        Err(Error::NotFound { what, source, .. }) => {
            let parent = format!("{SERVICE}/custom-signature-versions/{version}");
            let read = Read::new(&CUSTOM_SIGNATURE, cx.scope, By::All).below("version", parent);
            let wanted = id.to_owned();
            let keep = move |signature: &ManagedObject| {
                let is_wanted = signature.id() == wanted || signature.text("signature_id") == Some(&wanted);
                is_wanted.then(|| signature.clone())
            };
            let found = cx.collect(&Arc::new(read), keep).await?;
            let first = found.into_iter().next();
            first.ok_or_else(|| cx.not_found(what, None, source))?
        }
        signature => signature?,
    };
    Ok(PolicyIdpsCustomSignature {
        id: format!("{version}/{id}"),
        signature_version_id: version.to_owned(),
        ..PolicyIdpsCustomSignature::from(&signature)
    })
}

output! {
    ["Output of `getPolicyIdpsSettings`."]
    PolicyIdpsSettings {
        bare;
        /// Whether signatures are updated automatically.
        auto_update_signatures: bool = "auto_update",
        /// Description; empty if there is none.
        description: String,
        /// Display name.
        display_name: String => ManagedObject::name,
        /// Whether custom signatures of the version are enabled; false without a version.
        enable_custom_signatures: bool,
        /// Whether events are sent to syslog.
        enable_syslog: bool = "ids_events_to_syslog",
        /// Id, which is a constant.
        id: String,
        /// Behavior under oversubscription.
        oversubscription: String,
        /// Policy path.
        path: String,
    }
}

/// The settings of custom signatures, as the manager sends them.
#[derive(Debug, Default, Deserialize)]
struct CustomSignatureSettings {
    enable_custom_signatures: bool,
}

async fn settings(cx: &LookupContext<'_>, version: &Option<String>) -> Result<PolicyIdpsSettings, Error> {
    let what = || "intrusion service".to_owned();
    let settings: ManagedObject = cx.get(what(), Get::new(ROOT)).await?;
    let custom = match given(version) {
        Some(version) => {
            let get = Get::new(ROOT)
                .segment("custom-signature-versions")
                .segment(version)
                .segment("settings");
            let what = format!("version {} of custom signatures", cx.quoted(version));
            cx.get::<CustomSignatureSettings>(what, get).await?
        }
        None => CustomSignatureSettings::default(),
    };
    Ok(PolicyIdpsSettings {
        enable_custom_signatures: custom.enable_custom_signatures,
        id: "intrusion-services".to_owned(),
        ..PolicyIdpsSettings::from(&settings)
    })
}

/// Output of `getPolicyIdpsSignatureDiff`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyIdpsSignatureDiff {
    /// Ids of signatures that are deleted.
    pub deleted_signatures: Vec<String>,
    /// Ids of signatures that exist.
    pub existing_signatures: Vec<String>,
    /// Id of the version.
    pub id: String,
    /// Ids of signatures that are new.
    pub newly_added_signatures: Vec<String>,
}

/// A comparison of signatures, as the manager sends it.
#[derive(Debug, Default, PartialEq, Deserialize)]
struct SignatureDiff {
    deleted_signatures: Option<Vec<String>>,
    existing_signatures: Option<Vec<String>>,
    newly_added_signatures: Option<Vec<String>>,
}

async fn signature_diff(cx: &LookupContext<'_>, version: &str) -> Result<PolicyIdpsSignatureDiff, Error> {
    let get = Get::new(ROOT)
        .segment("custom-signature-versions")
        .segment(version)
        .segment("custom-signatures-diff");
    let what = format!("version {} of custom signatures", cx.quoted(version));
    let diff: SignatureDiff = cx.get(what.clone(), get).await?;
    if diff == SignatureDiff::default() {
        let reason = "it has no list of signatures";
        let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(reason));
        return Err(Error::request_failed(cx.spec.name, format!("the {what}"), source));
    }
    Ok(PolicyIdpsSignatureDiff {
        deleted_signatures: diff.deleted_signatures.unwrap_or_default(),
        existing_signatures: diff.existing_signatures.unwrap_or_default(),
        id: version.to_owned(),
        newly_added_signatures: diff.newly_added_signatures.unwrap_or_default(),
    })
}

/// Output of `getPolicyIdpsSystemSignatures`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyIdpsSystemSignatures {
    /// Id of the version.
    pub id: String,
    /// Policy path of the signatures.
    pub path: String,
    /// The signatures, sorted by id.
    pub signatures: Vec<IdpsSignature>,
    /// Id of the version.
    pub version_id: String,
}

output! {
    ["A signature of the intrusion service."]
    IdpsSignature {
        bare;
        /// Target of the attack.
        attack_target: String,
        /// Categories.
        categories: Vec<String>,
        /// Class type.
        class_type: String,
        /// Ids of vulnerabilities.
        cves: Vec<String>,
        /// Rating of the severity.
        cvss: String,
        /// Score of version 2.
        cvssv2: String,
        /// Score of version 3.
        cvssv3: String,
        /// Display name.
        display_name: String => ManagedObject::name,
        /// Id.
        id: String => ManagedObject::id,
        /// Name.
        name: String,
        /// Policy path.
        path: String,
        /// Product that the signature applies to.
        product_affected: String,
        /// Severity.
        severity: String,
        /// Id of the signature.
        signature_id: String,
        /// Revision of the signature.
        signature_revision: String,
        /// Addresses of references.
        urls: Vec<String>,
    }
}

async fn system_signatures(
    cx: &LookupContext<'_>,
    version: &Option<String>,
    severity: &Option<String>,
    product: &Option<String>,
    name: &Option<String>,
    class: &Option<String>,
) -> Result<PolicyIdpsSystemSignatures, Error> {
    let version = match given(version) {
        Some(version) => version.to_owned(),
        None => active_version(cx).await?,
    };
    let parent = format!("{SERVICE}/signature-versions/{version}");
    let read = Read::new(&SIGNATURE, cx.scope, By::All).below("signature version", parent.clone());
    let exact = [
        ("severity", severity),
        ("product_affected", product),
        ("class_type", class),
    ];
    let exact = exact.map(|(member, wanted)| (member, given(wanted).map(str::to_owned)));
    let part = given(name).map(str::to_lowercase);
    let keep = move |signature: &ManagedObject| {
        let has = |(member, wanted): &(&str, Option<String>)| {
            wanted.is_none() || signature.text(member) == wanted.as_deref()
        };
        let is_named = |part: &String| signature.name().to_lowercase().contains(part);
        let fits = exact.iter().all(has) && part.as_ref().is_none_or(is_named);
        fits.then(|| IdpsSignature::from(signature))
    };
    let mut signatures = cx.collect(&Arc::new(read), keep).await?;
    signatures.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(PolicyIdpsSystemSignatures {
        id: version.clone(),
        path: format!("{parent}/signatures"),
        signatures,
        version_id: version,
    })
}

/// The id of the active version of the signatures or, if none is active, of the first one.
async fn active_version(cx: &LookupContext<'_>) -> Result<String, Error> {
    let read = Read::new(GetPolicyIdpsSignatureVersion::KIND, cx.scope, By::All);
    let keep = |version: &ManagedObject| {
        let is_active = version.text("state") == Some("ACTIVE");
        Some((!is_active, version.id().to_owned()))
    };
    let versions = cx.collect(&Arc::new(read), keep).await?;
    let first = versions.into_iter().min().map(|(_, id)| id);
    first.ok_or_else(|| cx.not_found("there is no signature version".to_owned(), None, None))
}
