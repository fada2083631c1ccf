locals {
  a = ["/infra/x", f("/infra/y")]
}
data "nsxt_a" "b" {
  c = "${local.a[0]}"
}
