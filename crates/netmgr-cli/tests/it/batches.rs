//! Tests of `batch`: order, errors, exit codes, shared requests.

use std::io::{BufRead, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{INTERRUPT, Manager, Run, assert_shown, program, signal};

fn line(function: &str, input: Value) -> String {
    json!({ "function": function, "input": input }).to_string() + "\n"
}

fn lines(run: &Run) -> Vec<Value> {
    let lines = run.stdout.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_line_has_its_answer_or_its_error_in_the_order_of_the_input() {
    let manager = Manager::start();
    let input = [
        line("getManagerInfo", json!({})),
        line("ip-pool", json!({ "displayName": "tep-pool" })),
        line("getIpPool", json!({ "displayName": "no such pool" })),
        "\n".to_owned(),
        line("getIpPol", json!({ "id": "x" })),
        "not json\n".to_owned(),
        line("getIpPool", json!({ "colour": "blue" })),
        line("getNsGroup", json!({ "displayName": "twin-group" })),
    ];
    let run = Run::with_input(&mut manager.program(&["batch"]), &input.concat());
    // The exit code of the first failure: nothing was found.
    assert_eq!(run.code, 3, "{run:?}");
    let found = lines(&run);
    assert_eq!(found.len(), 7);
    assert_eq!(found[0]["output"]["version"], "9.1.1.0.25108400");
    assert_eq!(found[1]["function"], "ip-pool");
    assert_eq!(found[1]["output"]["displayName"], "tep-pool");
    let codes: Vec<&Value> = found.iter().map(|line| &line["error"]["exitCode"]).collect();
    assert_eq!(json!(codes), json!([null, null, 3, 2, 2, 2, 4]));
    let unknown = found[3]["error"]["message"].as_str().unwrap();
    assert!(unknown.contains("; did you mean \"getIpPool\""), "{unknown}");
    assert_shown!("batch", run);
}

#[test]
fn a_batch_that_succeeds_is_0_and_reads_a_file() {
    let manager = Manager::start();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    write!(
        file,
        "{}{}",
        line("getManagerInfo", json!({})),
        line("getNsServices", json!({}))
    )
    .unwrap();
    let path = file.path().to_str().unwrap();
    let run = Run::of(&mut manager.program(&["batch", "--file", path]));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_eq!(lines(&run).len(), 2);
    let missing = Run::of(&mut program(["--simulate", "batch", "--file", "/nonexistent"]));
    assert!(
        missing
            .failure(2)
            .starts_with("error: cannot read /nonexistent\n"),
        "{missing:?}"
    );
}

#[test]
fn lookups_of_a_batch_share_requests() {
    let manager = Manager::start();
    let input: String = (0..500)
        .map(|number| line("getIpPool", json!({ "displayName": format!("pool {number}") })))
        .collect();
    let run = Run::with_input(&mut manager.program(&["batch", "--stats"]), &input);
    assert_eq!((run.code, lines(&run).len()), (3, 500));
    let (_, requests) = run.stderr.split_once("requests ").unwrap();
    let requests: u32 = requests.split(',').next().unwrap().parse().unwrap();
    assert!(requests < 50, "{}", run.stderr);
}

#[test]
fn answers_come_when_they_are_ready_with_the_number_of_their_line() {
    let manager = Manager::start();
    let mut command = manager.program(&["batch", "--as-ready"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    // The wait of the first line does not end during the test.
    let wait = json!({ "id": "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013" });
    let pending = line("getComputeManagerRealization", wait);
    input.write_all(pending.as_bytes()).unwrap();
    for number in [2, 3] {
        // The input is still open.
        input
            .write_all(line("getManagerInfo", json!({})).as_bytes())
            .unwrap();
        let answer: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        assert_eq!(
            (&answer["line"], &answer["function"]),
            (&json!(number), &json!("getManagerInfo"))
        );
    }
    signal(&child, INTERRUPT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn numbers_of_lines_count_empty_lines_and_a_byte_order_mark_is_skipped() {
    let lines =
        "\u{feff}{\"function\": \"getManagerInfo\"}\r\n\r\n\n{\"function\": \"getManagerInfo\"}\n{bad";
    for options in [
        &["--simulate", "batch"][..],
        &["--simulate", "batch", "--as-ready"],
    ] {
        let run = Run::with_input(&mut program(options), lines);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(
            run.stderr
                .starts_with("error: 1 of 3 lookups failed, the first one in line 5\n"),
            "{run:?}"
        );
        assert_eq!(run.stdout.matches("\"output\"").count(), 2, "{run:?}");
    }
}

#[test]
fn a_line_that_is_too_long_has_its_own_error() {
    let good = line("getManagerInfo", json!({}));
    let long = line("getIpPool", json!({ "displayName": "x".repeat(3 << 20) }));
    let lines_of_input = [good.as_str(), long.as_str(), good.as_str()];
    let run = Run::with_input(&mut program(["--simulate", "batch"]), &lines_of_input.concat());
    assert_eq!(run.code, 2, "{}", run.stderr);
    let found = lines(&run);
    assert_eq!(found.len(), 3);
    for index in [0, 2] {
        assert_eq!(found[index]["output"]["id"], "manager-info");
    }
    let message = found[1]["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("the line is longer than 1 MiB"), "{message}");
    assert!(run.stderr.contains("in line 2\n"), "{}", run.stderr);
}
