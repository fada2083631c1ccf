//! Filters in the language of jq.

use std::fmt;

use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Filter, Vars, data};
use jaq_json::Val;
use serde_json::Value;

use crate::failure::CliError;

/// Most brackets inside each other. The parser calls itself for each of them, and a stack has an end.
const DEEPEST: usize = 100;

/// What filters run on.
type Data = data::JustLut<Val>;

/// A filter that is ready to run.
pub(super) struct Query(Filter<Data>);

impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Query")
    }
}

impl Query {
    /// Compiles a filter.
    pub(super) fn new(code: &str) -> Result<Self, CliError> {
        if nesting(code) > DEEPEST {
            return Err(CliError::Usage {
                what: "--query: the filter is nested too deeply".to_owned(),
                source: None,
                hint: Some(format!("use at most {DEEPEST} brackets inside each other")),
            });
        }
        let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
        let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
        let arena = Arena::default();
        let modules = Loader::new(definitions)
            .load(&arena, File { code, path: () })
            .map_err(|errors| invalid(code, errors.iter().map(|(_, error)| unparsed(error))))?;
        let filter = Compiler::default()
            .with_funs(functions)
            .compile(modules)
            .map_err(|errors| {
                let undefined = errors.iter().flat_map(|(_, errors)| errors);
                invalid(
                    code,
                    undefined.map(|(name, kind)| format!("there is no {} `{name}`", kind.as_str())),
                )
            })?;
        Ok(Self(filter))
    }

    /// The results for `input` one by one. There may be none, and there may be no last one.
    pub(super) fn run(
        &self,
        input: &Value,
    ) -> Result<impl Iterator<Item = Result<Value, CliError>> + '_, CliError> {
        let text = serde_json::to_string(input).map_err(|error| failed(error.to_string()))?;
        let input: Val = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
        let context = Ctx::<Data>::new(&self.0.lut, Vars::new([]));
        let results = self.0.id.run((context, input));
        Ok(results.map_while(|result| match result {
            Ok(value) => Some(
                serde_json::from_str(&value.to_string())
                    .map_err(|_| failed(format!("the result {value} is not JSON"))),
            ),
            Err(exception) => match exception.get_err() {
                Ok(error) => Some(Err(failed(error.to_string()))),
                // The filter `halt` ends the results, and not the program in the middle of a lookup.
                Err(_) => None,
            },
        }))
    }
}

/// How many brackets of a filter are inside each other, those in texts included.
fn nesting(code: &str) -> usize {
    let mut open = 0_usize;
    let mut deepest = 0;
    for letter in code.chars() {
        match letter {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

fn failed(why: String) -> CliError {
    CliError::Usage {
        what: "--query: the filter failed".to_owned(),
        source: Some(why.into()),
        hint: Some("`-o json` without --query prints what the filter reads".to_owned()),
    }
}

fn invalid(code: &str, problems: impl Iterator<Item = String>) -> CliError {
    let problems: Vec<String> = problems.collect();
    CliError::Usage {
        what: format!("--query: {code:?} is not a filter of jq"),
        source: (!problems.is_empty()).then(|| problems.join("; ").into()),
        hint: Some(
            "examples: '.[].id', '.items | keys', 'map(select(.displayName | test(\"^web\")))'".to_owned(),
        ),
    }
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

    fn run(code: &str, input: Value) -> Vec<Value> {
        let query = Query::new(code).unwrap();
        let results = query.run(&input).unwrap();
        results.map(Result::unwrap).collect()
    }

    #[test]
    fn a_filter_may_have_any_number_of_results() {
        let rows = json!([{ "id": "a", "n": 1 }, { "id": "b", "n": 2.5 }]);
        assert_eq!(run(".[].id", rows.clone()), [json!("a"), json!("b")]);
        assert_eq!(run("map(.n) | add", rows.clone()), [json!(3.5)]);
        assert_eq!(run("empty", rows.clone()), [] as [Value; 0]);
        assert_eq!(run(".[0] | halt", rows), [] as [Value; 0]);
        assert_eq!(run(r#".x | test("^w")"#, json!({ "x": "web" })), [json!(true)]);
    }

    #[test]
    fn a_filter_that_would_exhaust_the_stack_is_rejected() {
        let nested = |depth: usize| "[".repeat(depth) + "1" + &"]".repeat(depth);
        assert_eq!(run(&nested(DEEPEST), json!(0)).len(), 1);
        let error = Query::new(&nested(20_000)).unwrap_err().report();
        assert!(
            error.starts_with("error: --query: the filter is nested too deeply"),
            "{error}"
        );
    }

    #[test]
    fn results_are_not_kept_and_those_before_a_failure_are_returned() {
        let query = Query::new("repeat(1)").unwrap();
        assert_eq!(query.run(&json!(0)).unwrap().take(3).count(), 3);
        let query = Query::new("1, error, 2").unwrap();
        let results: Vec<bool> = query
            .run(&json!(0))
            .unwrap()
            .map(|result| result.is_ok())
            .collect();
        assert_eq!(results, [true, false, true]);
    }

    #[test]
    fn a_filter_that_cannot_be_used_is_explained() {
        let report = |code: &str| Query::new(code).unwrap_err().report();
        insta::assert_snapshot!([report(".["), report(".a | nothing"), report("$x"), report("")].join("\n"));
        let query = Query::new(".a").unwrap();
        let failed = query.run(&json!([1])).unwrap().next().unwrap();
        insta::assert_snapshot!(failed.unwrap_err().report());
    }
}
