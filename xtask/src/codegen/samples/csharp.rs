//! Programs in C#.

use super::typed::{Argument, TypeName, Typed};
use super::{Use, indented, pascal_case, quoted};

const INDENT: &str = "    ";

/// A program that calls a function.
pub(super) fn call(shown: &Use<'_>) -> String {
    let package = pascal_case(shown.package);
    let arguments = if shown.arguments.is_empty() {
        String::new()
    } else {
        format!("new()\n{{\n{}}}", members(&shown.arguments))
    };
    let body = format!(
        "var found = {package}.{}.Invoke({arguments});\n",
        pascal_case(shown.name)
    );
    let output = shown.output.map(|output| {
        (
            output,
            format!("found.Apply(result => result.{})", pascal_case(output)),
        )
    });
    program_of(shown, &body, output)
}

/// A program that creates a component.
pub(super) fn program(shown: &Use<'_>) -> String {
    let package = pascal_case(shown.package);
    let mut body = String::new();
    if shown.in_cluster {
        body.push_str(&shown.settings(|name| format!("var {name} = new Config().Require(\"{name}\");\n")));
        body.push_str(
            "var kubeconfig = new Config().RequireSecret(\"kubeconfig\");\n\
             var cluster = new Kubernetes.Provider(\"cluster\", new()\n{\n    KubeConfig = kubeconfig,\n});\n\n",
        );
    }
    body.push_str(&format!(
        "var made = new {package}.{}(\"main\", new()\n{{\n{}}}{});\n",
        pascal_case(shown.name),
        members(&shown.arguments),
        if shown.in_cluster {
            ", new ComponentResourceOptions\n{\n    Providers = { cluster },\n}"
        } else {
            ""
        },
    ));
    let output = shown
        .output
        .map(|output| (output, format!("made.{}", pascal_case(output))));
    program_of(shown, &body, output)
}

fn program_of(shown: &Use<'_>, body: &str, output: Option<(&str, String)>) -> String {
    let mut usings = vec!["using Pulumi;".to_owned()];
    let mut names: Vec<_> = shown
        .arguments
        .iter()
        .flat_map(|argument| packages(&argument.value))
        .collect();
    if shown.in_cluster {
        names.push("kubernetes");
    }
    names.sort_unstable();
    names.dedup();
    for package in names {
        usings.push(format!("using {0} = Pulumi.{0};", pascal_case(package)));
    }
    let package = pascal_case(shown.package);
    usings.push(format!(
        "using {package} = {}.{package};",
        shown.release.dotnet_root()
    ));
    let mut body = body.to_owned();
    if let Some((name, value)) = output {
        usings.insert(0, "using System.Collections.Generic;".to_owned());
        body.push_str(&format!(
            "\nreturn new Dictionary<string, object?>\n{{\n    [{}] = {value},\n}};\n",
            quoted(name)
        ));
    }
    format!(
        "{}\n\nreturn await Deployment.RunAsync(() =>\n{{\n{}}});\n",
        usings.join("\n"),
        indented(1, INDENT, &body)
    )
}

/// The other packages whose types are used.
fn packages(value: &Typed) -> Vec<&str> {
    match value {
        Typed::Object(name, members) => {
            let own = name.major.as_ref().map(|_| name.package.as_str());
            own.into_iter()
                .chain(members.iter().flat_map(|(_, value)| packages(value)))
                .collect()
        }
        Typed::List(items) => items.iter().flat_map(packages).collect(),
        _ => Vec::new(),
    }
}

/// Members of an initializer, indented by one.
fn members(arguments: &[Argument]) -> String {
    let members = arguments
        .iter()
        .map(|Argument { name, value, .. }| member(name, value));
    members.collect()
}

fn member(name: &str, typed: &Typed) -> String {
    let member = format!("{} = {},", pascal_case(name), value(typed));
    indented(1, INDENT, &member)
}

fn value(typed: &Typed) -> String {
    match typed {
        Typed::Boolean(on) => on.to_string(),
        Typed::Integer(number) => number.to_string(),
        Typed::Number(number) => number.to_string(),
        Typed::Text(text) => super::text(text),
        Typed::Map(members) => {
            let members = members
                .iter()
                .map(|(name, text)| format!("{INDENT}{{ {}, {} }},\n", quoted(name), quoted(text)));
            format!("\n{{\n{}}}", members.collect::<String>())
        }
        Typed::List(items) => {
            let items = items
                .iter()
                .map(|item| indented(1, INDENT, &format!("{},", value(item))));
            format!("new[]\n{{\n{}}}", items.collect::<String>())
        }
        Typed::Object(name, members) => {
            let members = members.iter().map(|(name, item)| member(name, item));
            format!("new {}\n{{\n{}}}", qualified(name), members.collect::<String>())
        }
    }
}

/// A type with its namespace below the namespace of the package, which the program aliases to the name of the package.
fn qualified(name: &TypeName) -> String {
    let mut path = vec![pascal_case(&name.package)];
    path.extend(
        name.module
            .split('/')
            .filter(|part| !part.is_empty())
            .map(pascal_case),
    );
    format!("{}.Inputs.{}Args", path.join("."), name.name)
}
