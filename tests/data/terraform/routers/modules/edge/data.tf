variable "router" {}
variable "edge_cluster" {}

data "nsxt_edge_cluster" "this" {
  display_name = var.edge_cluster
}

data "nsxt_logical_tier0_router" "this" {
  display_name = "${var.router}"
}

output "router" {
  value = "${data.nsxt_logical_tier0_router.this.id}@${data.nsxt_edge_cluster.this.id}"
}
