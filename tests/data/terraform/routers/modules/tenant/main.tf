variable "transport_zone" {}
variable "router" {}

data "nsxt_transport_zone" "overlay" {
  display_name = var.transport_zone
}

data "nsxt_ns_service" "this" {
  count        = 2
  display_name = ["HTTP", "HTTPS"][count.index]
}

output "ports" {
  value = {
    zone     = data.nsxt_transport_zone.overlay.id
    services = data.nsxt_ns_service.this[*].id
    router   = var.router
  }
}
