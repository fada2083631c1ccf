//! Programs in Go, formatted as gofmt does.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::typed::{Argument, TypeName, Typed};
use super::{Use, indented, pascal_case, quoted};

const CORE: &str = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";
const KUBERNETES: &str = "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes";

/// A program that calls a function.
pub(super) fn call(shown: &Use<'_>) -> String {
    let package = shown.package;
    let function = pascal_case(shown.name);
    let mut body = format!("found := {package}.{function}Output(ctx");
    // Go has no optional arguments: calls of functions with inputs always pass the struct.
    if shown.arguments.is_empty() && shown.takes_inputs {
        write!(body, ", {package}.{function}OutputArgs{{}}").expect("writing to a string");
    } else if shown.takes_inputs {
        let arguments = fields(&shown.arguments);
        write!(body, ", {package}.{function}OutputArgs{{\n{arguments}}}").expect("writing to a string");
    }
    body.push_str(")\n");
    if let Some(output) = shown.output {
        body.push_str(&format!(
            "ctx.Export({}, found.{}())\n",
            quoted(output),
            pascal_case(output)
        ));
    }
    program_of(shown, &body)
}

/// A program that creates a component.
pub(super) fn program(shown: &Use<'_>) -> String {
    let package = shown.package;
    let component = pascal_case(shown.name);
    let mut body = String::new();
    if shown.in_cluster {
        body.push_str(
            &shown.settings(|name| format!("{name} := config.New(ctx, \"\").Require(\"{name}\")\n")),
        );
        body.push_str(
            "kubeconfig := config.New(ctx, \"\").RequireSecret(\"kubeconfig\")\n\
             cluster, err := kubernetes.NewProvider(ctx, \"cluster\", &kubernetes.ProviderArgs{\n\
             \tKubeconfig: kubeconfig,\n})\nif err != nil {\n\treturn err\n}\n",
        );
    }
    let options = if shown.in_cluster {
        ", pulumi.Providers(cluster)"
    } else {
        ""
    };
    let result = match (shown.output, shown.in_cluster) {
        (Some(_), _) => "made, err :=",
        (None, true) => "_, err =",
        (None, false) => "_, err :=",
    };
    body.push_str(&format!(
        "{result} {package}.New{component}(ctx, \"main\", &{package}.{component}Args{{\n{}}}{options})\n\
         if err != nil {{\n\treturn err\n}}\n",
        fields(&shown.arguments)
    ));
    if let Some(output) = shown.output {
        body.push_str(&format!(
            "ctx.Export({}, made.{})\n",
            quoted(output),
            pascal_case(output)
        ));
    }
    program_of(shown, &body)
}

fn program_of(shown: &Use<'_>, body: &str) -> String {
    let mut imports = BTreeSet::from([
        CORE.to_owned(),
        format!("{}/sdk/go/{}", shown.release.path(), shown.package),
    ]);
    if shown.in_cluster {
        imports.insert(format!("{CORE}/config"));
        imports.insert(KUBERNETES.to_owned());
    }
    for Argument { value, .. } in &shown.arguments {
        import(value, &mut imports);
    }
    let imports: String = imports.iter().map(|path| format!("\t\"{path}\"\n")).collect();
    let body = indented(2, "\t", &format!("{body}return nil\n"));
    format!(
        "package main\n\nimport (\n{imports})\n\n\
         func main() {{\n\tpulumi.Run(func(ctx *pulumi.Context) error {{\n{body}\t}})\n}}\n"
    )
}

/// Adds the imports of types of other packages.
fn import(value: &Typed, imports: &mut BTreeSet<String>) {
    match value {
        Typed::Object(name, members) => {
            if let Some(major) = &name.major {
                imports.insert(format!(
                    "github.com/pulumi/pulumi-{0}/sdk/v{major}/go/{0}/{1}",
                    name.package, name.module
                ));
            }
            members.iter().for_each(|(_, value)| import(value, imports));
        }
        Typed::List(items) => items.iter().for_each(|item| import(item, imports)),
        _ => {}
    }
}

/// Members of a struct, indented by one.
fn fields(arguments: &[Argument]) -> String {
    let fields = arguments.iter().map(|argument| {
        let value = if argument.plain {
            plain(&argument.value)
        } else {
            value(&argument.value)
        };
        (pascal_case(&argument.name), value)
    });
    lines(fields.collect())
}

/// Keys and values on separate lines. Adjacent values that fit on one line are aligned.
fn lines(fields: Vec<(String, String)>) -> String {
    let mut text = String::new();
    let mut rest = fields.as_slice();
    while let Some((key, value)) = rest.first() {
        if value.contains('\n') {
            text.push_str(&indented(1, "\t", &format!("{key}: {value},")));
            rest = &rest[1..];
            continue;
        }
        let run = rest.iter().take_while(|(_, value)| !value.contains('\n')).count();
        let width = rest[..run]
            .iter()
            .map(|(key, _)| key.len())
            .max()
            .unwrap_or_default();
        for (key, value) in &rest[..run] {
            let space = " ".repeat(width - key.len() + 1);
            text.push_str(&format!("\t{key}:{space}{value},\n"));
        }
        rest = &rest[run..];
    }
    text
}

/// A value that can be deferred.
fn value(typed: &Typed) -> String {
    match typed {
        Typed::Boolean(on) => format!("pulumi.Bool({on})"),
        Typed::Integer(number) => format!("pulumi.Int({number})"),
        Typed::Number(number) => format!("pulumi.Float64({number})"),
        Typed::Text(text) => format!("pulumi.String({})", super::text(text)),
        Typed::Map(members) => {
            let members = members
                .iter()
                .map(|(name, text)| (quoted(name), format!("pulumi.String({})", quoted(text))));
            format!("pulumi.StringMap{{\n{}}}", lines(members.collect()))
        }
        Typed::List(items) => {
            let elements: String = items
                .iter()
                .map(|item| indented(1, "\t", &format!("{},", value(item))))
                .collect();
            format!("{}{{\n{elements}}}", list_type(items))
        }
        Typed::Object(name, members) => {
            let members = members
                .iter()
                .map(|(name, item)| (pascal_case(name), value(item)));
            format!("&{}Args{{\n{}}}", qualified(name), lines(members.collect()))
        }
    }
}

/// An optional value that cannot be deferred.
fn plain(typed: &Typed) -> String {
    match typed {
        Typed::Boolean(on) => format!("pulumi.BoolRef({on})"),
        Typed::Integer(number) => format!("pulumi.IntRef({number})"),
        Typed::Number(number) => format!("pulumi.Float64Ref({number})"),
        Typed::Text(text) => format!("pulumi.StringRef({})", quoted(text)),
        Typed::List(_) | Typed::Map(_) | Typed::Object(..) => value(typed),
    }
}

fn list_type(items: &[Typed]) -> String {
    match items.first() {
        Some(Typed::Boolean(_)) => "pulumi.BoolArray".to_owned(),
        Some(Typed::Integer(_)) => "pulumi.IntArray".to_owned(),
        Some(Typed::Number(_)) => "pulumi.Float64Array".to_owned(),
        Some(Typed::Object(name, _)) => format!("{}Array", qualified(name)),
        Some(Typed::Map(_)) => "pulumi.StringMapArray".to_owned(),
        _ => "pulumi.StringArray".to_owned(),
    }
}

/// A type with the package that it is imported from.
fn qualified(name: &TypeName) -> String {
    let package = name.module.rsplit('/').next().filter(|module| !module.is_empty());
    format!("{}.{}", package.unwrap_or(&name.package), name.name)
}
