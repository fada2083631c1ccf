{% macro value(it) -%}
{% if it is mapping -%}
{ {% for name, inner in it | items %}{{ name if name is plain else name | json }}: {{ value(inner) }}{{ ", " if not loop.last }}{% endfor %} }
{%- elif it is sequence -%}
[{% for inner in it %}{{ value(inner) }}{{ ", " if not loop.last }}{% endfor %}]
{%- elif it is setting -%}
{{ it[2:-1] }}
{%- else -%}
{{ it | json }}
{%- endif %}
{%- endmacro %}
{% if in_cluster %}
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
{% endif %}
import * as {{ package }} from "@{{ release.publisher }}/{{ package }}";

{% if is_function %}
const found = {{ package }}.{{ name }}Output({{ value(inputs) if inputs }});

export const {{ output }} = found.{{ output }};
{% else %}
{% for setting in settings %}
const {{ setting }} = new pulumi.Config().require("{{ setting }}");
{% endfor %}
{% if in_cluster %}
const kubeconfig = new pulumi.Config().requireSecret("kubeconfig");
const cluster = new kubernetes.Provider("cluster", { kubeconfig });

{% endif %}
{{ "const main = " if output }}new {{ package }}.{{ name }}("main", {
{% for name, input in inputs | items %}
    {{ name }}: {{ value(input) }},
{% endfor %}
}{{ ", { providers: [cluster] }" if in_cluster }});
{% if output %}

export const {{ output }} = main.{{ output }};
{% endif %}
{% endif %}
