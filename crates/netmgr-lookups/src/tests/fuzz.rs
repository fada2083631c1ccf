//! Fuzzing of lookups: every response of a manager becomes a result or a readable error.

use netmgr_types::foreign::steers;
use serde_json::json;

use crate::ALL;
use crate::contract::call::Call;
use crate::tests::manager::manager;

/// The first byte selects the function, the rest is the body of every reply.
#[test]
fn fuzz_answers() {
    let words = [
        "\"id\":\"7\"",
        "\"results\":[",
        "\"cursor\":\"1\"",
        "\"result_count\":",
        "\"resource_type\":\"",
        "\"display_name\":\"",
        "\"path\":\"/infra/",
        "\"error_code\":",
        "\"error_message\":\"",
        "\"state\":\"",
        "null",
        "{\"",
        "[]",
        "\\u001b",
        "\u{202e}",
    ];
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    fuzz_testing::fuzz("answers", &words, |input| {
        let (number, body) = input.split_first().unwrap_or((&0, &[]));
        let entry = &ALL[usize::from(*number) % ALL.len()];
        let inputs = entry.describe().inputs;
        let has = |name: &str| inputs.iter().any(|input| input.name == name);
        let mut arguments = json!({});
        for (name, value) in [("id", json!("7")), ("delay", json!(1)), ("timeout", json!(2))] {
            if has(name) {
                arguments[name] = value;
            }
        }
        let status = [200, 200, 200, 404, 500][usize::from(*number / 50) % 5];
        let body = String::from_utf8_lossy(body).into_owned();
        let lookups = manager(move |_| (status, body.clone()));
        let answer = runtime.block_on(lookups.invoke(entry.spec.name, arguments, &Call::default()));
        match answer {
            Ok(output) => {
                let outputs = entry.describe().outputs;
                let members = output.as_object().expect("an output is an object");
                for name in members.keys() {
                    assert!(
                        outputs.iter().any(|output| output.name == *name),
                        "{name} is not an output"
                    );
                }
                assert!(
                    output.to_string().len() <= 8 * input.len() + 1000,
                    "the output is larger than the reply"
                );
                format!(
                    "{} {}",
                    entry.spec.name,
                    members.values().filter(|value| !value.is_null()).count()
                )
            }
            Err(error) => {
                let mut text = error.to_string();
                let mut cause = std::error::Error::source(&error);
                while let Some(error) = cause {
                    text += &format!(": {error}");
                    cause = error.source();
                }
                assert!(text.len() < 16 << 10, "an error of {} bytes", text.len());
                let steering = text.chars().find(|letter| steers(*letter) && *letter != '\n');
                assert_eq!(steering, None, "{text:?}");
                format!("{:?} {text}", error.kind())
            }
        }
    });
}
