//! Filters in the language of jq.

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use jaq_core::data::HasLut;
use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, DataT, Filter, Lut, Vars};
use jaq_json::Val;
use serde_json::Value;

use crate::failure::CliError;

/// Maximum nesting of brackets. The parser calls itself for each of them, and a stack has an end.
const DEEPEST: usize = 100;

/// Stack of the thread that runs a filter. What is not used takes no memory.
const STACK: usize = 64 << 20;
/// Maximum use of that stack. A step of a filter takes much less than the rest.
const MOST: usize = 48 << 20;
/// Number of results that are computed before they are printed.
const AHEAD: usize = 16;

thread_local! {
    /// Address of the stack of this thread where the filter begins.
    static BOTTOM: Cell<usize> = const { Cell::new(0) };
}

/// What filters run on: values of JSON, on a stack with an end.
struct Data;

impl DataT for Data {
    type V<'a> = Val;
    type Data<'a> = Bounded<'a>;
}

/// The compiled terms of a filter. Each step of it looks one of them up, also a step of a function that calls itself.
#[derive(Clone, Copy)]
struct Bounded<'a>(&'a Lut<Data>);

impl<'a> HasLut<'a, Data> for Bounded<'a> {
    fn lut(&self) -> &'a Lut<Data> {
        if BOTTOM.get().abs_diff(stack_address()) > MOST {
            // The language has no error that a filter cannot catch.
            resume_unwind(Box::new(TooDeep));
        }
        self.0
    }
}

/// The payload of the panic that ends a filter.
struct TooDeep;

/// About where the stack ends now.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// A filter that is ready to run.
pub(super) struct Query(Arc<Filter<Data>>);

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
        Ok(Self(Arc::new(filter)))
    }

    /// The results for `input` one by one. There may be none, and there may be no last one.
    ///
    /// The filter runs in a thread with a stack of known size, because it may call itself without end.
    pub(super) fn run(
        &self,
        input: &Value,
    ) -> Result<impl Iterator<Item = Result<Value, CliError>> + use<>, CliError> {
        let text = serde_json::to_string(input).map_err(|error| failed(error.to_string()))?;
        let filter = Arc::clone(&self.0);
        let (sender, results) = sync_channel(AHEAD);
        let run = move || {
            BOTTOM.set(stack_address());
            // The receiver is dropped after a failure of the output.
            let send = |result| sender.send(result).is_ok();
            let outcome = catch_unwind(AssertUnwindSafe(|| each(&filter, &text, send)));
            if let Err(panic) = outcome {
                if !panic.is::<TooDeep>() {
                    resume_unwind(panic);
                }
                let _ = sender.send(Err(too_deep()));
            }
        };
        let thread = thread::Builder::new().name("query".to_owned()).stack_size(STACK);
        let thread = thread.spawn(run).map_err(CliError::Runtime)?;
        Ok(Results {
            results,
            thread: Some(thread),
        })
    }
}

/// The results of a filter that runs in another thread.
struct Results {
    results: Receiver<Result<Value, CliError>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Iterator for Results {
    type Item = Result<Value, CliError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.results.recv().ok().or_else(|| {
            if let Some(Err(panic)) = self.thread.take().map(thread::JoinHandle::join) {
                resume_unwind(panic);
            }
            None
        })
    }
}

/// Passes the results for the JSON `text` to `send` until that returns false.
fn each(filter: &Filter<Data>, text: &str, send: impl Fn(Result<Value, CliError>) -> bool) {
    let input: Val = match serde_json::from_str(text) {
        Ok(input) => input,
        Err(error) => {
            send(Err(failed(error.to_string())));
            return;
        }
    };
    let context = Ctx::<Data>::new(Bounded(&filter.lut), Vars::new([]));
    for result in filter.id.run((context, input)) {
        let result = match result {
            Ok(value) => serde_json::from_str(&value.to_string())
                .map_err(|_| failed(format!("the result {value} is not JSON"))),
            Err(exception) => match exception.get_err() {
                Ok(error) => Err(failed(error.to_string())),
                // The filter `halt` ends the results, and not the program in the middle of a lookup.
                Err(_) => return,
            },
        };
        if !send(result) {
            return;
        }
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

/// The nesting of brackets in a filter, including those in texts.
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
