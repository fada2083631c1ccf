a = <<EOT
/infra/x ${b}
EOT
b = { (x) = c ? "/infra/d" : e[*].f }
c = [for k, v in { "a" = 1 } : "/infra/${k}" if v > 1]
