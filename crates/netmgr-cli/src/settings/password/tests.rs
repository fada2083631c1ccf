//! Tests of where passwords come from.

use serde_json::json;

use super::*;

fn take(settings: Value) -> Result<Option<PasswordSource>, String> {
    let mut settings = settings.as_object().unwrap().clone();
    PasswordSource::take(&mut settings).map_err(|error| error.to_string())
}

#[test]
fn a_command_is_a_line_for_the_shell_or_its_words() {
    let words = |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Ok(Some(PasswordSource::Command(words)))
    };
    assert_eq!(
        take(json!({ "passwordCommand": ["pass", "lab"] })),
        words(&["pass", "lab"])
    );
    if cfg!(unix) {
        assert_eq!(
            take(json!({ "passwordCommand": "pass lab | head -1" })),
            words(&["sh", "-c", "pass lab | head -1"])
        );
    }
    assert_eq!(take(json!({ "host": "m", "password": "x" })), Ok(None));
    for wrong in [json!(1), json!([]), json!(""), json!(["a", 1])] {
        assert!(
            take(json!({ "passwordCommand": wrong }))
                .unwrap_err()
                .contains("passwordCommand")
        );
    }
    assert!(
        take(json!({ "passwordFile": "f", "password": "x" }))
            .unwrap_err()
            .contains("cannot be combined")
    );
}

#[test]
fn a_password_is_the_first_line_without_its_end_and_without_a_byte_order_mark() {
    for text in ["pässword \r\nnext", "\u{feff}pässword \n", "pässword "] {
        assert_eq!(first_line(text.as_bytes()).unwrap(), "pässword ");
    }
    let endless = io::BufReader::new(io::repeat(0));
    assert!(first_line(endless).is_err());
}

#[test]
fn arguments_of_a_command_are_not_shown() {
    let source = PasswordSource::Command(vec!["vault".to_owned(), "hunter2".to_owned()]);
    assert_eq!(source.to_string(), "(output of vault)");
}

#[tokio::test]
async fn the_output_of_a_program_is_read_although_its_end_is_seen_first() {
    let (mut program, stdout) = tokio::io::duplex(16);
    let print = async {
        tokio::task::yield_now().await;
        tokio::io::AsyncWriteExt::write_all(&mut program, b"secret\n").await
    };
    let end = std::future::ready(Ok(ExitStatus::default()));
    let (read, printed) = tokio::join!(output_and_status(stdout, end), print);
    printed.unwrap();
    assert_eq!(read.unwrap(), (b"secret\n".to_vec(), Some(ExitStatus::default())));
}
