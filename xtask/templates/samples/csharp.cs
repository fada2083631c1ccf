{% macro value(it) -%}
{% if it.kind == "map" %}

{
{% for name, text in it.members %}
    { {{ name | json }}, {{ text | json }} },
{% endfor %}
}
{%- elif it.kind == "list" -%}
new[]
{
{% for item in it.items %}
    {{ value(item) | indent(4) }},
{% endfor %}
}
{%- elif it.kind == "object" -%}
new {{ it.type.package | pascal }}{% for part in it.type.module | split("/") if part %}.{{ part | pascal }}{% endfor %}.Inputs.{{ it.type.name }}Args
{
{% for name, member in it.members %}
    {{ name | pascal }} = {{ value(member) | indent(4) }},
{% endfor %}
}
{%- else -%}
{{ it.value }}
{%- endif %}
{%- endmacro %}
{% macro initializer() %}
new()
{
{% for argument in arguments %}
    {{ argument.name | pascal }} = {{ value(argument.value) | indent(4) }},
{% endfor %}
}
{%- endmacro %}
{% macro body() %}
{% if is_function %}
var found = {{ package | pascal }}.{{ name | pascal }}.Invoke({{ initializer() if arguments }});
{% else %}
{% for setting in settings %}
var {{ setting }} = new Config().Require("{{ setting }}");
{% endfor %}
{% if in_cluster %}
var kubeconfig = new Config().RequireSecret("kubeconfig");
var cluster = new Kubernetes.Provider("cluster", new()
{
    KubeConfig = kubeconfig,
});

{% endif %}
var made = new {{ package | pascal }}.{{ name }}("main", {{ initializer() }}{% if in_cluster %}, new ComponentResourceOptions
{
    Providers = { cluster },
}{% endif %});
{% endif %}
{% if output %}

return new Dictionary<string, object?>
{
    ["{{ output }}"] = {{ "found.Apply(result => result." ~ (output | pascal) ~ ")" if is_function else "made." ~ (output | pascal) }},
};
{% endif %}
{% endmacro %}
{% if output %}
using System.Collections.Generic;
{% endif %}
using Pulumi;
{% set others = (["kubernetes"] if in_cluster else []) + (types | selectattr("major") | map(attribute="package") | list) %}
{% for other in others | sort(case_sensitive=true) | unique %}
using {{ other | pascal }} = Pulumi.{{ other | pascal }};
{% endfor %}
using {{ package | pascal }} = {{ release.dotnet_root }}.{{ package | pascal }};

return await Deployment.RunAsync(() =>
{
    {{ body() | trim | indent(4) }}
});
