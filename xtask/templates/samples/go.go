{# Indented with four spaces; the filter `gofmt` turns them into tabs and aligns values as gofmt does. #}
{% macro qualified(type) %}{{ (type.module | split("/") | last) or type.package }}.{{ type.name }}{% endmacro %}
{% macro array(items) -%}
{% set first = items | first %}
{{- qualified(first.type) if first.kind == "object" else "pulumi." ~ { "boolean": "Bool", "integer": "Int", "number": "Float64", "string": "String", "map": "StringMap" }[first.kind] }}Array
{%- endmacro %}
{% macro value(it) -%}
{% if it.kind == "boolean" -%} pulumi.Bool({{ it.value }})
{%- elif it.kind == "integer" -%} pulumi.Int({{ it.value }})
{%- elif it.kind == "number" -%} pulumi.Float64({{ it.value }})
{%- elif it.kind == "string" -%} pulumi.String({{ it.value }})
{%- elif it.kind == "map" -%}
pulumi.StringMap{
{% for name, text in it.members %}
    {{ name | json }}: pulumi.String({{ text | json }}),
{% endfor %}
}
{%- elif it.kind == "list" -%}
{{ array(it.items) }}{
{% for item in it.items %}
    {{ value(item) | indent(4) }},
{% endfor %}
}
{%- else -%}
&{{ qualified(it.type) }}Args{
{% for name, member in it.members %}
    {{ name | pascal }}: {{ value(member) | indent(4) }},
{% endfor %}
}
{%- endif %}
{%- endmacro %}
{% macro plain(it) -%}
{% set references = { "boolean": "Bool", "integer": "Int", "number": "Float64", "string": "String" } %}
{% if it.kind in references -%} pulumi.{{ references[it.kind] }}Ref({{ it.value }}) {%- else -%} {{ value(it) }} {%- endif %}
{%- endmacro %}
{% macro fields() %}
{% for argument in arguments %}
    {{ argument.name | pascal }}: {{ (plain(argument.value) if argument.plain else value(argument.value)) | indent(4) }},
{% endfor %}
{% endmacro %}
{% macro body() %}
{% if is_function %}
found := {{ package }}.{{ name | pascal }}Output(ctx{% if arguments %}, {{ package }}.{{ name | pascal }}OutputArgs{
{{ fields() }}}{% elif takes_inputs %}, {{ package }}.{{ name | pascal }}OutputArgs{}{% endif %})
ctx.Export("{{ output }}", found.{{ output | pascal }}())
{% else %}
{% for setting in settings %}
{{ setting }} := config.New(ctx, "").Require("{{ setting }}")
{% endfor %}
{% if in_cluster %}
kubeconfig := config.New(ctx, "").RequireSecret("kubeconfig")
cluster, err := kubernetes.NewProvider(ctx, "cluster", &kubernetes.ProviderArgs{
    Kubeconfig: kubeconfig,
})
if err != nil {
    return err
}
{% endif %}
{{ "made, err :=" if output else "_, err =" if in_cluster else "_, err :=" }} {{ package }}.New{{ name }}(ctx, "main", &{{ package }}.{{ name }}Args{
{{ fields() }}}{{ ", pulumi.Providers(cluster)" if in_cluster }})
if err != nil {
    return err
}
{% if output %}
ctx.Export("{{ output }}", made.{{ output | pascal }})
{% endif %}
{% endif %}
return nil
{% endmacro %}
{% set imports = namespace(all=[
    "github.com/pulumi/pulumi/sdk/v3/go/pulumi",
    release.go_root ~ "/" ~ package,
]) %}
{% if in_cluster %}
{% set imports.all = imports.all + [
    "github.com/pulumi/pulumi/sdk/v3/go/pulumi/config",
    "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes",
] %}
{% endif %}
{% for type in types if type.major %}
{% set imports.all = imports.all + ["github.com/pulumi/pulumi-" ~ type.package ~ "/sdk/v" ~ type.major ~ "/go/" ~ type.package ~ "/" ~ type.module] %}
{% endfor %}
{% filter gofmt %}
package main

import (
{% for path in imports.all | sort(case_sensitive=true) | unique %}
    "{{ path }}"
{% endfor %}
)

func main() {
    pulumi.Run(func(ctx *pulumi.Context) error {
        {{ body() | trim | indent(8) }}
    })
}
{% endfilter %}
