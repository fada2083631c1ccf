{% set root = release.java_root ~ "." ~ package %}
{% macro value(it) -%}
{% if it.kind == "number" -%}
{{ it.value if "." in it.value else it.value ~ ".0" }}
{%- elif it.kind == "map" -%}
Map.of({% for name, text in it.members %}{{ name | json }}, {{ text | json }}{{ ", " if not loop.last }}{% endfor %})
{%- elif it.kind == "list" -%}
{# Methods of builders accept any number of elements. #}
{% for item in it.items %}{{ value(item) }}{{ ", " if not loop.last }}{% endfor %}
{%- elif it.kind == "object" -%}
{{ it.type.name }}Args.builder()
{% for name, member in it.members %}
    .{{ name }}({{ value(member) | indent(4) }})
{% endfor %}
    .build()
{%- else -%}
{{ it.value }}
{%- endif %}
{%- endmacro %}
{% macro builder() %}
{{ name | pascal }}Args.builder()
{% for argument in arguments %}
    .{{ argument.name }}({{ value(argument.value) | indent(4) }})
{% endfor %}
    .build()
{%- endmacro %}
{% macro body() %}
{% if is_function %}
final var found = {{ package | pascal }}Functions.{{ name }}({{ builder() if arguments }});
{% else %}
{% for setting in settings %}
final var {{ setting }} = ctx.config().require("{{ setting }}");
{% endfor %}
{% if in_cluster %}
final var kubeconfig = ctx.config().requireSecret("kubeconfig");
final var cluster = new Provider("cluster", ProviderArgs.builder()
    .kubeconfig(kubeconfig)
    .build());

{% endif %}
{{ "final var made = " if output }}new {{ name }}("main", {{ builder() }}{% if in_cluster %}, ComponentResourceOptions.builder()
    .providers(cluster)
    .build(){% endif %});
{% endif %}
{% if output %}

ctx.export("{{ output }}", {{ "found.applyValue(result -> result." ~ output ~ "())" if is_function else "made." ~ output ~ "()" }});
{% endif %}
{% endmacro %}
{% set body = body() %}
{% set imports = namespace(all=["com.pulumi.Pulumi"]) %}
{% if "Map.of(" in body %}
{% set imports.all = imports.all + ["java.util.Map"] %}
{% endif %}
{% if is_function %}
{% set imports.all = imports.all + [root ~ "." ~ (package | pascal) ~ "Functions"] + ([root ~ ".inputs." ~ (name | pascal) ~ "Args"] if arguments else []) %}
{% else %}
{% set imports.all = imports.all + [root ~ "." ~ name, root ~ "." ~ name ~ "Args"] %}
{% endif %}
{% if in_cluster %}
{% set imports.all = imports.all + ["com.pulumi.kubernetes.Provider", "com.pulumi.kubernetes.ProviderArgs", "com.pulumi.resources.ComponentResourceOptions"] %}
{% endif %}
{% for type in types %}
{% set path = ("com.pulumi." ~ type.package if type.major else root) ~ ("." ~ (type.module | replace("/", ".")) if type.module else "") %}
{% set imports.all = imports.all + [path ~ ".inputs." ~ type.name ~ "Args"] %}
{% endfor %}
package program;

{% for class in imports.all | sort(case_sensitive=true) | unique %}
import {{ class }};
{% endfor %}

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            {{ body | trim | indent(12) }}
        });
    }
}
