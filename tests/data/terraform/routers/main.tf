# Objects of the manager API, in modules that require no provider.
provider "nsxt" {
  allow_unverified_ssl = "true"
}

module "edge" {
  source       = "./modules/edge"
  router       = "t0-prod"
  edge_cluster = "edge-cluster-prod"
}

module "tenant" {
  source         = "./modules/tenant"
  transport_zone = "tz-overlay"
  router         = module.edge.router
  providers = {
    nsxt = nsxt
  }
}

output "router" {
  value = module.edge.router
}

output "ports" {
  value = module.tenant.ports
}
