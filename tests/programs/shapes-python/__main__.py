"""One lookup of each output shape, by types that the SDK has."""

import pulumi
import pulumi_netmgr as netmgr

# Scalars.
pulumi.export("server", netmgr.get_compute_manager_output(display_name="vc-prod").server)
# A map by name.
pulumi.export("groups", netmgr.get_ns_groups_output().items)
# An object inside, in and out.
profile = netmgr.get_policy_context_profile_output(
    context=netmgr.TenantContext(project_id="dev"),
    display_name="demoprof",
)
pulumi.export("context", profile.context.apply(lambda context: {"projectId": context.project_id}))
# Numbers and booleans in, echoed.
realization = netmgr.get_compute_manager_realization_output(
    id="9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001",
    check_registration=True,
    delay=0,
    timeout=5.5,
)
pulumi.export("state", realization.state)
pulumi.export("timeout", realization.timeout)
pulumi.export("checked", realization.check_registration)
# No inputs at all.
pulumi.export("thumbprint", netmgr.get_management_cluster_output().node_sha256_thumbprint)
