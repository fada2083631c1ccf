//! The example of a function or component as a program in every language, for the engine's schema and the
//! reference pages.
//!
//! Functions and components define the values. TypeScript, Python and YAML need no types and are generated in `examples`
//! and `programs`.

mod csharp;
mod go;
mod java;
mod typed;

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::examples::{Call, reference, references};
use super::package::{Example, Package};
use super::programs::Program;
use crate::Error;
use crate::release::Release;
use typed::{Argument, Types};

/// A program in one language.
pub(super) struct Sample {
    /// Name of the language.
    pub(super) language: &'static str,
    /// Its name in fenced blocks, by which registries and editors select it.
    pub(super) fence: &'static str,
    /// The program, ending with a newline.
    pub(super) text: String,
}

/// The samples of a package.
pub(super) struct Samples<'a> {
    package: &'a Package,
    /// The engine's schema of the package.
    schema: &'a Value,
    /// The object types in it.
    types: Types,
}

/// A call of a function or component in a typed language.
struct Use<'a> {
    release: &'a Release,
    package: &'a str,
    /// Name of the function or component.
    name: &'a str,
    /// Whether it has any inputs.
    takes_inputs: bool,
    arguments: Vec<Argument>,
    output: Option<&'a str>,
    in_cluster: bool,
    /// Names of the settings that the arguments refer to.
    settings: Vec<&'a str>,
}

impl<'a> Samples<'a> {
    /// Samples of `package`, whose schema is `schema`.
    pub(super) fn new(package: &'a Package, schema: &'a Value) -> Self {
        Self {
            package,
            schema,
            types: members(&schema["types"]),
        }
    }

    /// A call of the function `token`.
    pub(super) fn of_function(&self, token: &str, example: &Example) -> Result<[Sample; 6], Error> {
        let name = token.rsplit(':').next().unwrap_or_default();
        let Some(output) = example.output.as_deref() else {
            return Err(format!("{token}: no output is worth showing").into());
        };
        let call = Call {
            release: &self.package.release,
            package: self.package.name,
            function: name,
            token,
            input: &example.inputs,
            output,
        };
        let inputs = &self.schema["functions"][token]["inputs"]["properties"];
        let typed = self.typed(name, inputs, example)?;
        Ok(all([
            call.typescript(),
            call.python(),
            go::call(&typed),
            csharp::call(&typed),
            java::call(&typed),
            call.yaml(),
        ]))
    }

    /// The component `token`.
    pub(super) fn of_component(&self, token: &str, example: &Example) -> Result<[Sample; 6], Error> {
        let name = token.rsplit(':').next().unwrap_or_default();
        let program = Program {
            release: &self.package.release,
            package: self.package.name,
            component: name,
            token,
            inputs: &example.inputs,
            output: example.output.as_deref(),
            in_cluster: example.in_cluster,
        };
        let inputs = &self.schema["resources"][token]["inputProperties"];
        let typed = self.typed(name, inputs, example)?;
        Ok(all([
            program.typescript(),
            program.python(),
            go::program(&typed),
            csharp::program(&typed),
            java::program(&typed),
            program.yaml(),
        ]))
    }

    fn typed<'b>(&'b self, name: &'b str, inputs: &Value, example: &'b Example) -> Result<Use<'b>, Error> {
        let specs = members(inputs);
        let arguments = typed::arguments(&example.inputs, &specs, &self.types);
        Ok(Use {
            release: &self.package.release,
            package: self.package.name,
            name,
            takes_inputs: !specs.is_empty(),
            arguments: arguments.map_err(|error| format!("{name}: {error}"))?,
            output: example.output.as_deref(),
            in_cluster: example.in_cluster,
            settings: references(&example.inputs),
        })
    }
}

impl Use<'_> {
    /// Declarations of the settings that the arguments refer to.
    fn settings(&self, declare: fn(&str) -> String) -> String {
        self.settings.iter().copied().map(declare).collect()
    }
}

/// The members of an object, or none.
fn members(object: &Value) -> Map<String, Value> {
    object.as_object().cloned().unwrap_or_default()
}

/// The programs with their languages.
fn all(texts: [String; 6]) -> [Sample; 6] {
    let languages = [
        ("TypeScript", "typescript"),
        ("Python", "python"),
        ("Go", "go"),
        ("C#", "csharp"),
        ("Java", "java"),
        ("YAML", "yaml"),
    ];
    let mut languages = languages.into_iter();
    texts.map(|text| {
        let (language, fence) = languages.next().expect("as many languages as texts");
        Sample {
            language,
            fence,
            text,
        }
    })
}

/// A description followed by its example, in the format of registries and editors.
pub(super) fn with_usage(description: &str, samples: &[Sample]) -> String {
    let mut text = format!("{description}\n\n## Example Usage\n");
    for Sample {
        fence, text: program, ..
    } in samples
    {
        write!(text, "\n```{fence}\n{program}```\n").expect("writing to a string");
    }
    text.truncate(text.trim_end().len());
    text
}

/// The samples of a page, each below the name of its language.
pub(super) fn on_page(samples: &[Sample]) -> String {
    let blocks = samples.iter().map(
        |Sample {
             language,
             fence,
             text,
         }| format!("\nIn {language}:\n\n```{fence}\n{text}```\n"),
    );
    blocks.collect()
}

/// A name in Pascal case: `displayName` is `DisplayName`.
fn pascal_case(camel: &str) -> String {
    let mut letters = camel.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// A quoted string, which has the same syntax as in JSON in all these languages.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A string of an example: the name of a setting, or a quoted string.
fn text(text: &str) -> String {
    reference(text).map_or_else(|| quoted(text), str::to_owned)
}

/// Indents all lines that are not empty.
fn indented(depth: usize, unit: &str, text: &str) -> String {
    let lines = text.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("{}{line}\n", unit.repeat(depth)),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_has_one_block_per_language_under_a_heading() {
        let samples = all(["a\n", "b\n", "c\n", "d\n", "e\n", "f\n"].map(str::to_owned));
        let text = with_usage("Finds.", &samples);
        assert!(
            text.starts_with("Finds.\n\n## Example Usage\n\n```typescript\na\n```\n\n```python\nb\n```\n")
        );
        assert!(text.ends_with("\n\n```java\ne\n```\n\n```yaml\nf\n```"), "{text}");
        assert_eq!(text.matches("```").count(), 12);
    }
}
