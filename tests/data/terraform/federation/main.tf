data "nsxt_policy_site" "all" {
  for_each     = toset(["paris", "london"])
  display_name = each.value
}

data "nsxt_policy_tier0_gateway" "stretched" {
  display_name = "t0-global"
}

data "nsxt_policy_gateway_locale_service" "paris" {
  gateway_path = data.nsxt_policy_tier0_gateway.stretched.path
  display_name = data.nsxt_policy_site.all["paris"].display_name
}

data "nsxt_policy_edge_cluster" "paris" {
  provider     = nsxt.paris
  display_name = "edge-cluster-prod"
}

data "nsxt_policy_edge_node" "paris" {
  provider          = nsxt.paris
  edge_cluster_path = data.nsxt_policy_edge_cluster.paris.path
  member_index      = 0
}

output "sites" {
  value = { for name, site in data.nsxt_policy_site.all : name => site.path }
}

output "locale_service" {
  value = data.nsxt_policy_gateway_locale_service.paris.path
}

output "node" {
  value = data.nsxt_policy_edge_node.paris.path
}

output "cluster" {
  value = data.nsxt_policy_edge_cluster.paris
}
