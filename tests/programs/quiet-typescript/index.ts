// A provider whose settings come from the configuration `provider`, and no lookups.
import * as pulumi from "@pulumi/pulumi";
import * as netmgr from "@netmgr/netmgr";

new netmgr.Provider("quiet", new pulumi.Config().requireObject<netmgr.ProviderArgs>("provider"));
