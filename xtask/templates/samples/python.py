{% macro value(it) -%}
{% if it is mapping -%}
{ {%- for name, inner in it | items %}"{{ name | snake if name is plain else name }}": {{ value(inner) }}{{ ", " if not loop.last }}{% endfor -%} }
{%- elif it is sequence -%}
[{% for inner in it %}{{ value(inner) }}{{ ", " if not loop.last }}{% endfor %}]
{%- elif it is setting -%}
{{ it[2:-1] | snake }}
{%- elif it is boolean -%}
{{ "True" if it else "False" }}
{%- else -%}
{{ it | json }}
{%- endif %}
{%- endmacro %}
import pulumi
{% if in_cluster %}
import pulumi_kubernetes as kubernetes
{% endif %}
import pulumi_{{ package }} as {{ package }}

{% if is_function %}
found = {{ package }}.{{ name | snake }}_output({% for name, input in inputs | items %}{{ name | snake }}={{ value(input) }}{{ ", " if not loop.last }}{% endfor %})

pulumi.export("{{ output }}", found.{{ output | snake }})
{% else %}
{% for setting in settings %}
{{ setting | snake }} = pulumi.Config().require("{{ setting }}")
{% endfor %}
{% if in_cluster %}
kubeconfig = pulumi.Config().require_secret("kubeconfig")
cluster = kubernetes.Provider("cluster", kubeconfig=kubeconfig)

{% endif %}
{{ "main = " if output }}{{ package }}.{{ name }}(
    "main",
{% for name, input in inputs | items %}
    {{ name | snake }}={{ value(input) }},
{% endfor %}
{% if in_cluster %}
    opts=pulumi.ResourceOptions(providers=[cluster]),
{% endif %}
)
{% if output %}

pulumi.export("{{ output }}", main.{{ output | snake }})
{% endif %}
{% endif %}
