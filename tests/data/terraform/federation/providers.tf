variable "global_manager" {}
variable "local_manager" {}

terraform {
  required_providers {
    nsxt = {
      source = "vmware/nsxt"
    }
  }
}

provider "nsxt" {
  host                 = var.global_manager
  global_manager       = true
  allow_unverified_ssl = true
}

provider "nsxt" {
  alias                = "paris"
  host                 = var.local_manager
  allow_unverified_ssl = true
}
