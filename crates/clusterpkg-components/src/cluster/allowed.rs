//! Values that inputs may have: for their schema, for the checks, and for the children made from them.

/// All types of logs of a control plane.
pub(super) const LOG_TYPES: [&str; 5] = ["api", "audit", "authenticator", "controllerManager", "scheduler"];

/// What happens to a cluster when the standard support of its version ends.
pub(super) const SUPPORT_TYPES: [&str; 2] = ["STANDARD", "EXTENDED"];

/// How principals get access to a cluster. Nodes and the administrator have access entries, which need the API.
pub(super) const AUTHENTICATION_MODES: [&str; 2] = ["API", "API_AND_CONFIG_MAP"];

/// The mode of a cluster that names none, in which role mappings also have an effect.
pub(super) const DEFAULT_AUTHENTICATION_MODE: &str = "API_AND_CONFIG_MAP";

/// Types of load balancers. Only the first one requires no additional controller.
pub(super) const LB_TYPES: [&str; 3] = ["nlb", "nlb-ip", "external"];

/// The type of load balancer of a cluster that names none.
pub(super) const DEFAULT_LB_TYPE: &str = "nlb";

/// Pattern of the versions that `autoscaler::is_supported` accepts.
pub(super) const SUPPORTED_VERSION: &str = r"^v?0*[1-9][0-9]*(\.[\s\S]*)?$";

/// Pattern of the names of entries, which are part of names of children.
pub(super) const ENTRY_NAME: &str = "^[A-Za-z0-9-]+$";

/// Pattern of [`is_kms_key`].
pub(super) const KMS_KEY: &str = "^arn:[a-z0-9-]+:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+$";

/// Whether a text is the ARN of a KMS key.
pub(super) fn is_kms_key(arn: &str) -> bool {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let parts: Vec<_> = arn.split(':').collect();
    let ["arn", partition, "kms", region, account, key] = parts[..] else {
        return false;
    };
    let key = key.strip_prefix("key/").unwrap_or_default();
    [partition, region]
        .iter()
        .all(|name| !name.is_empty() && name.chars().all(is_name))
        && account.len() == 12
        && account.bytes().all(|b| b.is_ascii_digit())
        && !key.is_empty()
        && key.chars().all(is_inner)
}
