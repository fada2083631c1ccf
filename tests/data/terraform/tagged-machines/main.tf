# Groups by lists of names: machines, segments and groups are looked up one by one, services once.
terraform {
  required_version = ">= 1.3"
  required_providers {
    nsxt = {
      source  = "vmware/nsxt"
      version = "~> 3.4"
    }
  }
}

provider "nsxt" {
  allow_unverified_ssl  = true
  max_retries           = 10
  retry_min_delay       = 500
  retry_max_delay       = 5000
  retry_on_status_codes = [429]
}

variable "tiers" {
  type = map(object({
    machines = list(string)
    segments = list(string)
    groups   = list(string)
  }))
  default = {
    web = { machines = [], segments = ["web-tier"], groups = ["web-servers"] }
    app = { machines = ["app-01", "app-02"], segments = ["app-tier"], groups = [] }
    db  = { machines = ["db-01"], segments = [], groups = ["db-servers"] }
  }
}

variable "domain" {
  default = "default"
}

locals {
  machines = toset(flatten([for tier in var.tiers : tier.machines]))
  segments = toset(flatten([for tier in var.tiers : tier.segments]))
  groups   = toset(flatten([for tier in var.tiers : tier.groups]))
}

data "nsxt_policy_vm" "member" {
  for_each     = local.machines
  display_name = each.value
}

data "nsxt_policy_segment" "member" {
  for_each     = local.segments
  display_name = each.key
}

data "nsxt_policy_group" "member" {
  for_each     = local.groups
  display_name = each.value
  domain       = var.domain
}

data "nsxt_policy_service" "https" { display_name = "HTTPS" }
data "nsxt_policy_service" "ssh" { display_name = "SSH" }

resource "terraform_data" "tier" {
  for_each = var.tiers
  input = {
    external_ids = [for name in each.value.machines : data.nsxt_policy_vm.member[name].external_id]
    paths = concat(
      [for name in each.value.segments : data.nsxt_policy_segment.member[name].path],
      values({ for name, group in data.nsxt_policy_group.member : name => group.path if contains(each.value.groups, name) }),
    )
  }
}

output "services" {
  value = [data.nsxt_policy_service.https.path, data.nsxt_policy_service.ssh.path]
}

output "machines" {
  value = { for name, machine in data.nsxt_policy_vm.member : name => machine.instance_id }
}

output "paths" {
  value = flatten([for tier in terraform_data.tier : tier.input.paths])
}
