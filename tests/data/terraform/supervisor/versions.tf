terraform {
  required_providers {
    nsxt = { source = "vmware/nsxt" } # for lookups only
  }
}
