//! jq filters.

use std::fmt;

use jaq_core::data::JustLut;
use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Filter, Vars};
use jaq_json::Val;
use serde_json::Value;

use crate::failure::CliError;

/// A filter that is ready to run.
pub(super) struct JqFilter(Filter<JustLut<Val>>);

impl fmt::Debug for JqFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JqFilter")
    }
}

impl JqFilter {
    /// Compiles a filter.
    pub(super) fn new(code: &str) -> Result<Self, CliError> {
        let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
        let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
        let arena = Arena::default();
        let modules = Loader::new(definitions)
            .load(&arena, File { code, path: () })
            .map_err(|errors| invalid(code, errors.iter().map(|(_, error)| unparsed(error)).collect()))?;
        let filter = Compiler::default().with_funs(functions).compile(modules);
        filter.map(Self).map_err(|errors| {
            let undefined = errors.iter().flat_map(|(_, errors)| errors);
            let problems = undefined.map(|(name, kind)| format!("there is no {} `{name}`", kind.as_str()));
            invalid(code, problems.collect())
        })
    }

    /// Passes the results for `input` to `take` one by one. There may be none, and they may be endless.
    pub(super) fn run(
        &self,
        input: &Value,
        take: &mut dyn FnMut(Value) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let hint = match input {
            Value::Array(_) => "the input is a list; '.[].id' selects a member of each object",
            _ => "the input is one object; '.id' selects a member",
        };
        let failed =
            |why: String| CliError::usage_because("--query: the filter failed", shortened(&why), hint);
        let input: Val = serde_json::from_value(input.clone()).map_err(|error| failed(error.to_string()))?;
        let context = Ctx::<JustLut<Val>>::new(&self.0.lut, Vars::new([]));
        for result in self.0.id.run((context, input)) {
            match result {
                Ok(value) => {
                    let text = value.to_string();
                    take(serde_json::from_str(&text).map_err(|_| failed(format!("{text} is not JSON")))?)?;
                }
                Err(exception) => match exception.get_err() {
                    Ok(error) => return Err(failed(error.to_string())),
                    // The filter `halt` ends the results, but not the process.
                    Err(_) => return Ok(()),
                },
            }
        }
        Ok(())
    }
}

/// A message without the middle of the value that it quotes.
fn shortened(message: &str) -> String {
    const BEGINNING: usize = 150;
    const END: usize = 49;
    let length = message.chars().count();
    if length <= BEGINNING + END + 1 {
        return message.to_owned();
    }
    let beginning = message.chars().take(BEGINNING);
    let end = message.chars().skip(length - END);
    beginning.chain(['…']).chain(end).collect()
}

fn invalid(code: &str, problems: Vec<String>) -> CliError {
    CliError::usage_because(
        format!("--query: {code:?} is not a filter of jq"),
        problems.join("; "),
        "examples: '.[].id', '.items | keys', 'map(select(.displayName | test(\"^web\")))'",
    )
}

fn unparsed(error: &load::Error<&str>) -> String {
    let expected = |what: &str, found: &str| match found {
        "" => format!("expected {what} at the end"),
        found => format!("expected {what} at {found:?}"),
    };
    let all: Vec<String> = match error {
        load::Error::Io(errors) => errors
            .iter()
            .map(|(path, why)| format!("{path}: {why}"))
            .collect(),
        load::Error::Lex(errors) => errors
            .iter()
            .map(|(what, at)| expected(what.as_str(), at))
            .collect(),
        load::Error::Parse(errors) => errors
            .iter()
            .map(|(what, at)| expected(what.as_str(), at))
            .collect(),
    };
    all.join("; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(code: &str, input: Value) -> (Vec<Value>, Result<(), CliError>) {
        let mut results = Vec::new();
        let outcome = JqFilter::new(code).unwrap().run(&input, &mut |result| {
            results.push(result);
            Ok(())
        });
        (results, outcome)
    }

    fn results(code: &str, input: Value) -> Vec<Value> {
        let (results, outcome) = run(code, input);
        outcome.unwrap();
        results
    }

    #[test]
    fn a_filter_may_have_any_number_of_results() {
        let rows = json!([{ "id": "a", "n": 1 }, { "id": "b", "n": 2.5 }]);
        assert_eq!(results(".[].id", rows.clone()), [json!("a"), json!("b")]);
        assert_eq!(results("map(.n) | add", rows.clone()), [json!(3.5)]);
        assert_eq!(results("empty", rows.clone()), [] as [Value; 0]);
        assert_eq!(results(".[0] | halt", rows), [] as [Value; 0]);
        assert_eq!(
            results(r#".x | test("^w")"#, json!({ "x": "web" })),
            [json!(true)]
        );
    }

    #[test]
    fn results_are_passed_on_before_a_failure_and_need_no_end() {
        let (before, outcome) = run("1, error, 2", json!(0));
        assert_eq!((before.len(), outcome.is_err()), (1, true));
        let mut left = 3;
        let endless = JqFilter::new("repeat(1)").unwrap();
        let outcome = endless.run(&json!(0), &mut |_| {
            left -= 1;
            if left == 0 {
                Err(CliError::ReaderGone)
            } else {
                Ok(())
            }
        });
        assert!(matches!(outcome, Err(CliError::ReaderGone)));
    }

    #[test]
    fn a_filter_that_cannot_be_used_is_explained() {
        let report = |code: &str| JqFilter::new(code).unwrap_err().report();
        insta::assert_snapshot!([report(".["), report(".a | nothing"), report("$x"), report("")].join("\n"));
        let (_, failed) = run(".a", json!([1]));
        insta::assert_snapshot!(failed.unwrap_err().report());
    }
}
