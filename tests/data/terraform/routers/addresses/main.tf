# Nothing to convert.
provider "nsxt" {}

locals {
  networks = cidrsubnets("10.10.0.0/16", 8, 8)
}
