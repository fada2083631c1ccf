//! Programs in Java.

use std::collections::BTreeSet;

use super::typed::{Argument, TypeName, Typed};
use super::{Use, indented, pascal_case, quoted};

const INDENT: &str = "    ";

/// A program that calls a function.
pub(super) fn call(shown: &Use<'_>) -> String {
    let root = root(shown);
    let functions = format!("{}Functions", pascal_case(shown.package));
    let mut imports = BTreeSet::from([format!("{root}.{functions}")]);
    let arguments = if shown.arguments.is_empty() {
        String::new()
    } else {
        let class = format!("{}Args", pascal_case(shown.name));
        imports.insert(format!("{root}.inputs.{class}"));
        builder(shown, &class, &shown.arguments, &mut imports)
    };
    let mut body = format!("final var found = {functions}.{}({arguments});\n", shown.name);
    if let Some(output) = shown.output {
        body.push_str(&format!(
            "\nctx.export({}, found.applyValue(result -> result.{output}()));\n",
            quoted(output)
        ));
    }
    program_of(imports, &body)
}

/// A program that creates a component.
pub(super) fn program(shown: &Use<'_>) -> String {
    let root = root(shown);
    let component = pascal_case(shown.name);
    let class = format!("{component}Args");
    let mut imports = BTreeSet::from([format!("{root}.{component}"), format!("{root}.{class}")]);
    let arguments = builder(shown, &class, &shown.arguments, &mut imports);
    let mut body = String::new();
    let mut options = "";
    if shown.in_cluster {
        for import in [
            "kubernetes.Provider",
            "kubernetes.ProviderArgs",
            "resources.ComponentResourceOptions",
        ] {
            imports.insert(format!("com.pulumi.{import}"));
        }
        body.push_str(
            &shown.settings(|name| format!("final var {name} = ctx.config().require(\"{name}\");\n")),
        );
        body.push_str(
            "final var kubeconfig = ctx.config().requireSecret(\"kubeconfig\");\n\
             final var cluster = new Provider(\"cluster\", ProviderArgs.builder()\n    .kubeconfig(kubeconfig)\n    .build());\n\n",
        );
        options = ", ComponentResourceOptions.builder()\n    .providers(cluster)\n    .build()";
    }
    let result = shown.output.map_or("", |_| "final var made = ");
    body.push_str(&format!(
        "{result}new {component}(\"main\", {arguments}{options});\n"
    ));
    if let Some(output) = shown.output {
        body.push_str(&format!("\nctx.export({}, made.{output}());\n", quoted(output)));
    }
    program_of(imports, &body)
}

fn program_of(mut imports: BTreeSet<String>, body: &str) -> String {
    imports.insert("com.pulumi.Pulumi".to_owned());
    if body.contains("Map.of(") {
        imports.insert("java.util.Map".to_owned());
    }
    let imports: String = imports.iter().map(|class| format!("import {class};\n")).collect();
    let body = indented(3, INDENT, body);
    format!(
        "package program;\n\n{imports}\npublic class App {{\n    \
         public static void main(String[] args) {{\n        Pulumi.run(ctx -> {{\n{body}        }});\n    }}\n}}\n"
    )
}

/// The package of the SDK.
fn root(shown: &Use<'_>) -> String {
    format!("{}.{}", shown.release.java_root(), shown.package)
}

/// An object that a builder creates.
fn builder(shown: &Use<'_>, class: &str, arguments: &[Argument], imports: &mut BTreeSet<String>) -> String {
    let members = arguments
        .iter()
        .map(|argument| (argument.name.as_str(), &argument.value));
    built(shown, class, members.collect(), imports)
}

fn built(
    shown: &Use<'_>,
    class: &str,
    members: Vec<(&str, &Typed)>,
    imports: &mut BTreeSet<String>,
) -> String {
    let mut text = format!("{class}.builder()\n");
    for (name, typed) in members {
        let value = value(shown, typed, imports);
        text.push_str(&indented(1, INDENT, &format!(".{name}({value})")));
    }
    text.push_str("    .build()");
    text
}

fn value(shown: &Use<'_>, typed: &Typed, imports: &mut BTreeSet<String>) -> String {
    match typed {
        Typed::Boolean(on) => on.to_string(),
        Typed::Integer(number) => number.to_string(),
        Typed::Number(number) => format!("{number:?}"),
        Typed::Text(text) => super::text(text),
        Typed::Map(members) => {
            let members = members
                .iter()
                .map(|(name, text)| format!("{}, {}", quoted(name), quoted(text)));
            format!("Map.of({})", members.collect::<Vec<_>>().join(", "))
        }
        // Methods of builders accept any number of elements.
        Typed::List(items) => {
            let items = items.iter().map(|item| value(shown, item, imports));
            items.collect::<Vec<_>>().join(", ")
        }
        Typed::Object(name, members) => {
            let class = format!("{}Args", name.name);
            imports.insert(format!("{}.inputs.{class}", package(shown, name)));
            let members = members.iter().map(|(name, item)| (name.as_str(), item));
            built(shown, &class, members.collect(), imports)
        }
    }
}

/// The package of a type's module.
fn package(shown: &Use<'_>, name: &TypeName) -> String {
    let root = match name.major {
        Some(_) => format!("com.pulumi.{}", name.package),
        None => root(shown),
    };
    let module = name.module.split('/').filter(|part| !part.is_empty());
    module.fold(root, |path, part| format!("{path}.{part}"))
}
