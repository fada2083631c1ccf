//! Filters in the language of jq: compilation and errors. They run in `query/worker.rs`.

mod worker;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Filter};
use serde_json::Value;

use crate::failure::CliError;
use worker::{DEEPEST_RESULT, Data, Worker};

/// Maximum nesting of brackets in a filter. The parser is recursive.
const DEEPEST: usize = 100;

/// A filter that is ready to run.
pub(super) struct Query {
    filter: Arc<Filter<Data>>,
    /// The thread that ran the filter last, for the next input.
    idle: Mutex<Option<Worker>>,
}

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
                hint: Some(format!("nest brackets at most {DEEPEST} deep")),
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
        Ok(Self {
            filter: Arc::new(filter),
            idle: Mutex::default(),
        })
    }

    /// Returns the results for `input` one by one. There may be none, and there may be no last one.
    pub(super) fn run(&self, input: &Value) -> Result<Results<'_>, CliError> {
        let text = serde_json::to_string(input).map_err(|error| failed(error.to_string()))?;
        let worker = match self.idle().take() {
            Some(worker) => worker,
            None => Worker::start(&self.filter).map_err(CliError::Runtime)?,
        };
        worker.begin(text);
        Ok(Results {
            query: self,
            worker: Some(worker),
        })
    }

    fn idle(&self) -> MutexGuard<'_, Option<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The results of a filter for one input. Dropping them before the last one ends the thread of the filter.
pub(super) struct Results<'a> {
    query: &'a Query,
    worker: Option<Worker>,
}

impl Iterator for Results<'_> {
    type Item = Result<Value, CliError>;

    fn next(&mut self) -> Option<Self::Item> {
        let result = self.worker.as_mut()?.next();
        if result.is_none() {
            *self.query.idle() = self.worker.take();
        }
        result
    }
}

fn too_deep() -> CliError {
    CliError::Usage {
        what: "--query: the recursion of a function in the filter is too deep".to_owned(),
        source: None,
        hint: Some(
            "end the recursion with `if … then … else … end`, or use `recurse`, `range` or `reduce`"
                .to_owned(),
        ),
    }
}

/// The nesting of brackets in a filter, including those in strings.
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

fn too_nested() -> CliError {
    CliError::Usage {
        what: "--query: a result of the filter is nested too deeply".to_owned(),
        source: None,
        hint: Some(format!("nest arrays and objects at most {DEEPEST_RESULT} deep")),
    }
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
    fn a_function_that_calls_itself_without_end_is_a_failure() {
        let without_end = [
            "def f: 1 + f; f",
            "def f: [f]; f",
            "def f: {a: f}; f",
            "def f(g): f(g | 1 + .) | g; f(.)",
            "def f: try f catch .; 1, f + 1",
            "def f: (., 1) | f | 1; f",
            "def f: reduce f as $x (0; .); f",
            "def f: . as $a | f + $a; f",
        ];
        for code in without_end {
            let query = Query::new(code).unwrap();
            let last = query.run(&json!(1)).unwrap().last().unwrap();
            let report = last.expect_err(code).report();
            assert!(
                report.starts_with("error: --query: the recursion of a function in the filter is too deep"),
                "{code}: {report}"
            );
        }
        // Deep, but with an end.
        assert_eq!(
            run("def f: if . == 0 then 0 else (. - 1 | f) + 1 end; f", json!(1000)),
            [json!(1000)]
        );
        assert_eq!(run("last(limit(100000; repeat(1)))", json!(0)), [json!(1)]);
        assert_eq!(
            run("def f: if . > 100000 then . else . + 1 | f end; f", json!(0)),
            [json!(100_001)]
        );
    }

    #[test]
    fn a_result_that_is_nested_too_deeply_is_a_failure() {
        let nested = |levels: usize| format!("reduce range({levels}) as $x (0; [.])");
        let (levels, value) = (DEEPEST_RESULT, run(&nested(DEEPEST_RESULT), json!(0)).remove(0));
        assert_eq!(value.to_string(), "[".repeat(levels) + "0" + &"]".repeat(levels));
        for code in [
            nested(levels + 1),
            nested(1_000_000),
            format!("{} | {{a: .}}", nested(200_000)),
            format!("{} | [., .]", nested(200_000)),
        ] {
            let query = Query::new(&code).unwrap();
            let report = query.run(&json!(0)).unwrap().next().unwrap();
            let report = report.unwrap_err().report();
            assert!(
                report.starts_with("error: --query: a result of the filter is nested too deeply"),
                "{code}: {report}"
            );
        }
        // Values that are not results can be nested more deeply.
        assert_eq!(
            run(&format!("{} | length", nested(100_000)), json!(0)),
            [json!(1)]
        );
    }

    #[test]
    fn inputs_are_filtered_in_one_thread() {
        let query = Query::new("if . == 0 then error else ., . end").unwrap();
        for number in [1, 0, 2] {
            let results = query.run(&json!(number)).unwrap().filter(Result::is_ok);
            assert_eq!(results.count(), if number == 0 { 0 } else { 2 });
            assert!(query.idle().is_some());
        }
        // A thread whose results were not all received is not used again.
        drop(query.run(&json!(3)).unwrap());
        assert!(query.idle().is_none());
        let results: Vec<_> = query.run(&json!(4)).unwrap().map(Result::unwrap).collect();
        assert_eq!(results, [json!(4), json!(4)]);
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
