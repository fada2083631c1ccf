//! The process of a filter: it reads the filter and then inputs, and writes messages, one on each line.

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;
use std::{env, iter, panic, process, thread};

use jaq_core::compile::Undefined;
use jaq_core::data::JustLut;
use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Cv, Filter, ValT as _, ValXs, Vars, native};
use jaq_json::{Num, Val};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::shortened;

/// The argument that starts this process.
pub(crate) const ARGUMENT: &str = "--filter-process";
/// Size of the stack, which limits recursion.
const STACK: usize = 256 << 20;
/// Maximum memory in bytes.
#[cfg(unix)]
const MEMORY: u64 = 2 << 30;

/// Filters that jq has and jaq lacks, or evaluates differently.
const DEFINITIONS: &str = r#"
def _row($format; text): if type != "array" then error("\(type) cannot be formatted as \($format), only an array can be") end
  | map(if type == "string" then text elif . == null or (isnumber and isnan) then "" elif type == "array" or type == "object"
      then error("\(type) is not valid in a row of \($format)") else tojson end);
def @csv: _row("csv"; "\"" + (split("\"") | join("\"\"")) + "\"") | join(",");
def @tsv: _row("tsv"; reduce (["\\", "\\\\"], ["\t", "\\t"], ["\n", "\\n"], ["\r", "\\r"]) as $pair
  (.; split($pair[0]) | join($pair[1]))) | join("\t");
def @text: tostring;
# Unlike `getpath($path) |= empty`, this does not copy the value.
def _delete($path): if $path[1:] == [] then .[$path[0]] |= empty else .[$path[0]] |= _delete($path[1:]) end;
def delpaths($paths): . as $all | if any($paths[]; . == []) then null else
  reduce ([$paths[] as $path | $path[-1] as $key | $all | getpath($path[:-1])
      | if isarray and ($key | isnumber) and $key < 0 then $key + length else $key end as $key
      | select(isarray and ($key | isobject) or has($key)?) | $path[:-1] + [$key]]
    | unique | reverse[]) as $path (.; _delete($path)) end;
def del(f): delpaths([path(f)]);
def leaf_paths: paths(scalars);
def IN(values): any(. == values; .);
def IN(inputs; values): any(inputs == values; .);
def INDEX(rows; f): reduce rows as $row ({}; .[$row | f | tostring] = $row);
def INDEX(f): INDEX(.[]; f);
def join($separator): [.[] | if . == null then "" elif isnumber or type == "boolean" then tojson else . end]
  | if . == [] then "" else reduce .[1:][] as $item (.[0] + ""; . + $separator + $item) end;
"#;

type Data = JustLut<Val>;

/// A message to the command.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum FilterMessage {
    /// The filter is compiled, or has no further results for the input.
    Ready,
    /// A result.
    Result(Box<RawValue>),
    /// Text for standard error.
    Note(String),
    /// The filter cannot be used, or failed.
    Failed(String),
    /// The filter ended the results with an exit code.
    Halted(u8),
    /// The command took longer than its deadline.
    Late(Duration),
    /// The process ended.
    Ended,
}

/// Runs the process until its standard input ends.
pub(crate) fn serve() -> ExitCode {
    process_lifecycle::turn_off_core_dumps();
    #[cfg(unix)]
    limit_memory();
    let (sender, lines) = mpsc::channel::<String>();
    let work = move || {
        let mut lines = lines.into_iter();
        let code = lines
            .next()
            .and_then(|line| serde_json::from_str::<String>(&line).ok());
        // A panic of the library ends the process like a limit.
        let _ = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            evaluate(&code.unwrap_or_default(), lines, send);
        }));
        process::exit(1);
    };
    if thread::Builder::new().stack_size(STACK).spawn(work).is_err() {
        return ExitCode::FAILURE;
    }
    // The argument after the one that starts this process.
    let deadline = env::args().nth(2).and_then(|seconds| seconds.parse().ok());
    if let Some(deadline) = deadline.map(Duration::from_secs_f64) {
        let end = move || {
            #[expect(clippy::disallowed_methods, reason = "this process has no runtime")]
            thread::sleep(deadline);
            send(&FilterMessage::Late(deadline));
            process::exit(1);
        };
        drop(thread::Builder::new().spawn(end));
    }
    // When the command ends, so does this process, whatever the filter does.
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let _ = sender.send(line);
    }
    process::exit(0);
}

#[cfg(unix)]
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let maximum = getrlimit(Resource::As).maximum;
    let current = Some(maximum.map_or(MEMORY, |maximum| maximum.min(MEMORY)));
    let _ = setrlimit(Resource::As, Rlimit { current, maximum });
}

fn send(message: &FilterMessage) {
    let message = serde_json::to_string(message).expect("messages are JSON");
    if writeln!(io::stdout().lock(), "{message}").is_err() {
        process::exit(1);
    }
}

/// Compiles a filter, and applies it to each of the inputs.
fn evaluate(code: &str, inputs: impl Iterator<Item = String>, mut send: impl FnMut(&FilterMessage)) {
    let filter = match compile(code) {
        Ok(filter) => filter,
        Err(why) => return send(&FilterMessage::Failed(shortened(&why))),
    };
    send(&FilterMessage::Ready);
    for input in inputs {
        let end =
            apply(&filter, &input, &mut send).unwrap_or_else(|why| FilterMessage::Failed(shortened(&why)));
        send(&end);
    }
}

/// Sends all results for an input, and returns the message after them.
fn apply(
    filter: &Filter<Data>,
    input: &str,
    send: &mut impl FnMut(&FilterMessage),
) -> Result<FilterMessage, String> {
    let input: Val = serde_json::from_str(input).map_err(|error| error.to_string())?;
    let context = Ctx::<Data>::new(&filter.lut, Vars::new([]));
    for result in filter.id.run((context, input)) {
        match result {
            Ok(value) => {
                let text = printable(value).to_string();
                let result = RawValue::from_string(text).map_err(|error| error.to_string())?;
                send(&FilterMessage::Result(result));
            }
            Err(exception) => match exception.get_err() {
                Ok(error) => return Err(error.to_string()),
                Err(exception) => {
                    let code = exception
                        .get_halt()
                        .ok()
                        .and_then(|code| u8::try_from(code & 0xff).ok());
                    return Ok(FilterMessage::Halted(code.unwrap_or_default()));
                }
            },
        }
    }
    Ok(FilterMessage::Ready)
}

/// `value` with numbers as jq prints them: whole ones without a fraction, and others for those that JSON does not have.
fn printable(value: Val) -> Val {
    /// Larger numbers have an exponent.
    const LARGEST: f64 = 1e17;
    let finite = |number: f64| {
        let whole = Some(number).filter(|number| number.abs() <= LARGEST);
        match whole.and_then(|number| Num::from_str_radix(&number.to_string(), 10)) {
            Some(whole) => Val::Num(whole),
            None if number.is_nan() => Val::Null,
            None => Val::Num(Num::Float(number.clamp(f64::MIN, f64::MAX))),
        }
    };
    match value {
        Val::Num(Num::Float(number)) => finite(number),
        Val::Num(Num::Dec(text)) if text.parse().is_ok_and(f64::is_infinite) => {
            finite(text.parse().unwrap_or_default())
        }
        Val::Arr(items) => {
            let items = Rc::unwrap_or_clone(items).into_iter().map(printable);
            Val::Arr(Rc::new(items.collect()))
        }
        Val::Obj(members) => {
            let members = Rc::unwrap_or_clone(members).into_iter();
            let members = members.map(|(name, member)| (name, printable(member)));
            Val::Obj(Rc::new(members.collect()))
        }
        value => value,
    }
}

fn compile(code: &str) -> Result<Filter<Data>, String> {
    let own = load::parse(DEFINITIONS, |parser| parser.defs()).expect("they are definitions");
    let replacements: [native::Filter<jaq_core::RunPtr<Data>>; 4] = [
        // This process has no standard error.
        ("debug_empty", native::v(0), debug),
        ("stderr_empty", native::v(0), note),
        ("tojson", native::v(0), |cv| {
            result(Val::utf8_str(printable(cv.1).to_string()))
        }),
        ("tostring", native::v(0), |cv| {
            result(printable(cv.1).into_string())
        }),
    ];
    // The environment contains secrets.
    let replaced = replacements.each_ref().map(|(name, ..)| *name);
    let is_replaced = move |name: &str| name == "env" || replaced.contains(&name);
    let definitions = jaq_core::defs().filter(move |definition| !is_replaced(definition.name));
    let definitions = definitions
        .chain(jaq_std::defs())
        .chain(jaq_json::defs())
        .chain(own);
    let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let functions = functions.filter(|(name, ..)| !is_replaced(name));
    let functions = functions.chain(replacements.map(native::run::<Data>));
    let arena = Arena::default();
    let problems = |problems: Vec<String>| problems.join("; ");
    let modules = Loader::new(definitions)
        .load(&arena, File { code, path: () })
        .and_then(|modules| {
            load::import(&modules, |_| Err("there are no modules".to_owned()))?;
            Ok(modules)
        })
        .map_err(|errors| problems(errors.iter().map(|(_, error)| unparsed(error)).collect()))?;
    let filter = Compiler::default().with_funs(functions).compile(modules);
    filter.map_err(|errors| {
        let unknown = errors.iter().flat_map(|(_, errors)| errors);
        problems(unknown.map(|(name, kind)| undefined(name, kind)).collect())
    })
}

/// The only result of a filter.
fn result<'a>(value: Val) -> ValXs<'a, Val> {
    Box::new(iter::once(Ok(value)))
}

/// The filter `stderr`, which `halt_error` uses: strings are written as they are.
fn note<'a>(cv: Cv<'a, Data>) -> ValXs<'a, Val> {
    send(&FilterMessage::Note(match &cv.1 {
        Val::TStr(text) | Val::BStr(text) => String::from_utf8_lossy(text).into_owned(),
        value => value.to_string(),
    }));
    Box::new(iter::empty())
}

fn debug<'a>(cv: Cv<'a, Data>) -> ValXs<'a, Val> {
    send(&FilterMessage::Note(format!("[\"DEBUG:\",{}]", cv.1)));
    Box::new(iter::empty())
}

fn undefined(name: &str, kind: &Undefined) -> String {
    const BESIDE_THE_INPUT: [&str; 6] = [
        "$ENV",
        "env",
        "input",
        "input_filename",
        "input_line_number",
        "inputs",
    ];
    match kind {
        _ if BESIDE_THE_INPUT.contains(&name) => {
            format!("`{name}` is not available, because a filter has a single input and no environment")
        }
        Undefined::Filter(arity) => format!("there is no filter `{name}/{arity}`"),
        kind => format!("there is no {} `{name}`", kind.as_str()),
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
    use serde_json::{Value, json};

    use super::*;

    /// The results for an input, and the message after them.
    fn run(code: &str, input: Value) -> (Vec<Value>, String) {
        let (mut results, mut last) = (Vec::new(), String::new());
        evaluate(code, iter::once(input.to_string()), |message| match message {
            FilterMessage::Result(text) => results.push(serde_json::from_str(text.get()).unwrap()),
            message => last = format!("{message:?}"),
        });
        (results, last)
    }

    fn results(code: &str, input: Value) -> Vec<Value> {
        let (results, last) = run(code, input);
        assert_eq!(last, "Ready", "{code}");
        results
    }

    #[test]
    fn a_filter_may_have_any_number_of_results() {
        let rows = json!([{ "id": "a", "n": 1 }, { "id": "b", "n": 2.5 }]);
        assert_eq!(results(".[].id", rows.clone()), [json!("a"), json!("b")]);
        assert_eq!(results("map(.n) | add", rows.clone()), [json!(3.5)]);
        assert_eq!(results("empty", rows.clone()), [] as [Value; 0]);
        assert_eq!(
            results(r#".x | test("^w")"#, json!({ "x": "web" })),
            [json!(true)]
        );
        let (before, last) = run("1, error, 2", json!(0));
        assert_eq!((before.len(), last.as_str()), (1, "Failed(\"0\")"));
    }

    #[test]
    fn the_formats_and_halts_are_those_of_jq() {
        let row = json!(["a\tb", "say \"x\"\n", 1, 2.5, null, true, "c\\d"]);
        let csv = "\"a\tb\",\"say \"\"x\"\"\n\",1,2.5,,true,\"c\\d\"";
        assert_eq!(results("@csv", row.clone()), [json!(csv)]);
        let tsv = "a\\tb\tsay \"x\"\\n\t1\t2.5\t\ttrue\tc\\\\d";
        assert_eq!(results("@tsv", row), [json!(tsv)]);
        assert_eq!(results(r#"@tsv "x: \(.)""#, json!([1, 2])), [json!("x: 1\t2")]);
        assert!(
            run("@csv", json!({ "a": 1 }))
                .1
                .contains("object cannot be formatted as csv")
        );
        assert!(
            run("@tsv", json!([[1]]))
                .1
                .contains("array is not valid in a row of tsv")
        );
        assert_eq!(
            run("1, halt, 2", json!(0)),
            (vec![json!(1)], "Halted(0)".to_owned())
        );
        assert_eq!(run("halt_error(7)", json!("stopped")).1, "Halted(7)");
    }

    #[test]
    fn numbers_that_json_lacks_are_printed_as_jq_prints_them() {
        let numbers = json!([f64::MAX, f64::MIN, null, f64::MAX, {"a": null}]);
        let code = "[infinite, -infinite, nan, 1e400, {a: nan}]";
        assert_eq!(results(code, json!(0)), [numbers]);
    }

    #[test]
    fn whole_numbers_have_no_fraction() {
        let code = "10/2, ([6/2] | tojson, @csv, @tsv, @json), (6/2 | tostring, @text), ([6/2, 2.5] | join(\";\")), \
                    (1.5 | trunc), 5e16 * 2, 2.5, -6/2";
        let all = json!([
            5,
            "[3]",
            "3",
            "3",
            "[3]",
            "3",
            "3",
            "3;2.5",
            1,
            100_000_000_000_000_000_u64,
            2.5,
            -3
        ]);
        assert_eq!(json!(results(code, json!(0))), all);
        assert_eq!(results("nan | tojson, ([.] | @csv)", json!(0)), ["null", ""]);
        let greatest = results("[infinite] | @csv", json!(0));
        assert_eq!(greatest, ["1.7976931348623157e308"]);
    }

    #[test]
    fn members_are_deleted_as_by_jq() {
        let numbers = json!([1, 2, 3, 4]);
        for (code, input, result) in [
            ("del(.[0,2])", numbers.clone(), json!([2, 4])),
            ("del(.[0,1])", numbers.clone(), json!([3, 4])),
            ("del(.[] | select(. > 2))", numbers.clone(), json!([1, 2])),
            ("del(.[-1,-2], .[9], .[-9])", numbers.clone(), json!([1, 2])),
            ("del(.[1:3])", numbers, json!([1, 4])),
            (
                "del(.a.b, .c)",
                json!({ "a": { "b": 1, "c": 2 } }),
                json!({ "a": { "c": 2 } }),
            ),
        ] {
            assert_eq!(results(code, input), [result], "{code}");
        }
    }

    #[test]
    fn leaves_and_indexes_are_those_of_jq() {
        let tree = json!({ "a": [1, { "b": [] }], "c": "x" });
        assert_eq!(results("[leaf_paths]", tree), [json!([["a", 0], ["c"]])]);
        let items = json!(["a", null, 1, true]);
        assert_eq!(
            results(r#"join(";"), ([] | join(";"))"#, items),
            [json!("a;;1;true"), json!("")]
        );
        let rows = json!([{ "id": 1 }, { "id": 2 }]);
        assert_eq!(
            results("INDEX(.id), INDEX(.[0]; .id)", rows),
            [
                json!({ "1": { "id": 1 }, "2": { "id": 2 } }),
                json!({ "1": { "id": 1 } })
            ]
        );
        assert_eq!(
            results(".[] | IN(1, 3)", json!([1, 2])),
            [json!(true), json!(false)]
        );
        assert_eq!(
            results("IN(.[]; 2, 3), IN(.[]; 4)", json!([1, 2])),
            [json!(true), json!(false)]
        );
    }

    #[test]
    fn there_are_no_modules() {
        for code in [
            r#"import "a" as $x; 1"#,
            r#"import "a" as $x; $x"#,
            r#"import "a" as a; 1"#,
            r#"include "a"; 1"#,
        ] {
            let (results, last) = run(code, json!(0));
            assert!(
                results.is_empty() && last.starts_with("Failed(\"a: "),
                "{code}: {last}"
            );
        }
    }

    #[test]
    fn a_filter_sees_its_input_alone() {
        for code in [
            "env",
            "$ENV.HOME",
            "input",
            "[inputs]",
            "try env catch .",
            "input_line_number",
        ] {
            let (results, last) = run(code, json!(0));
            assert!(
                results.is_empty() && last.contains("single input and no environment"),
                "{code}: {last}"
            );
        }
        assert!(run("getpath", json!(0)).1.contains("no filter `getpath/0`"));
    }
}
