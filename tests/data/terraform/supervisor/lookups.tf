// The address of a machine in a VPC: from the project down to the port of its subnet.

data "nsxt_policy_project" "dev" {
  display_name = var.project
}

data "nsxt_vpc" "web" {
  display_name = var.vpc

  context {
    project_id = data.nsxt_policy_project.dev.id
  }
}

data "nsxt_vpc_subnet" "frontend" {
  display_name = "frontend"

  context {
    project_id = data.nsxt_policy_project.dev.id
    vpc_id     = data.nsxt_vpc.web.id
  }
}

data "nsxt_policy_vm" "control_plane" {
  display_name = var.machine

  dynamic "context" {
    for_each = data.nsxt_policy_project.dev[*].id
    content {
      project_id = context.value
    }
  }
}

data "nsxt_vpc_subnet_port" "control_plane" {
  subnet_path = data.nsxt_vpc_subnet.frontend.path
  vm_id       = data.nsxt_policy_vm.control_plane.external_id
}
