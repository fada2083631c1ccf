"""A lookup through a provider whose settings are of every type."""

import pulumi
import pulumi_netmgr as netmgr

config = pulumi.Config()
provider = netmgr.Provider(
    "provider",
    host=config.require("host"),
    ca=config.require("ca"),
    username="admin",
    password=config.require_secret("password"),
    max_retries=2,
    retry_on_status_codes=[418],
    tolerate_partial_success=True,
    on_demand_connection=True,
)
found = netmgr.get_compute_manager_output(
    display_name="vc-prod", opts=pulumi.InvokeOutputOptions(provider=provider)
)
pulumi.export("server", found.server)
