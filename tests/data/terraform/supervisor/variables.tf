variable "project" {
  default = "dev"
}

variable "vpc" {
  default = "web"
}

variable "machine" {
  default = "dev-02"
}

output "port" {
  value = data.nsxt_vpc_subnet_port.control_plane.path
}

output "project" {
  value = data.nsxt_vpc_subnet.frontend.context[0].project_id
}
