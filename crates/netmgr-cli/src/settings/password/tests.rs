//! Tests of where passwords come from.

use serde_json::json;

use super::*;

fn take(settings: Value) -> Result<Option<PasswordSource>, String> {
    let mut settings = settings.as_object().unwrap().clone();
    PasswordSource::take(&mut settings, Path::new("c.toml")).map_err(|error| error.to_string())
}

#[test]
fn a_command_is_a_line_for_the_shell_or_its_words() {
    let command = |command: Value| match take(json!({ "passwordCommand": command })) {
        Ok(Some(PasswordSource::Command(command))) => command.words,
        other => panic!("{other:?}"),
    };
    assert_eq!(command(json!(["pass", "lab"])), ["pass", "lab"]);
    if cfg!(unix) {
        let line = "pass lab | head -1";
        assert_eq!(command(json!(line)), ["sh", "-c", line]);
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
    assert!(
        take(json!({ "passwordKeyring": false }))
            .unwrap_err()
            .contains("must be true")
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
fn a_command_is_shown_as_it_is_configured_without_its_arguments() {
    for (command, shown) in [
        (json!(["vault", "hunter2"]), "vault"),
        (json!("pass show hunter2"), "pass"),
        (json!("  ./bin/pass-lab\thunter2"), "./bin/pass-lab"),
        (json!("TOKEN=hunter2 vault read"), "a shell command"),
        (json!("\"hunter2 x\" y"), "a shell command"),
        (json!("$(hunter2)"), "a shell command"),
    ] {
        let source = take(json!({ "passwordCommand": command })).unwrap().unwrap();
        assert_eq!(source.to_string(), format!("(output of {shown})"));
    }
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

#[tokio::test]
async fn the_end_of_the_program_is_enough_although_others_write_to_its_output() {
    for end in [None, Some(ExitStatus::default())] {
        let (mut program, stdout) = tokio::io::duplex(16);
        // The output of a process that is left behind: without an end, with or without lines.
        let text: &[u8] = if end.is_some() { b"." } else { b"secret\n" };
        let print = async {
            while tokio::io::AsyncWriteExt::write_all(&mut program, text)
                .await
                .is_ok()
            {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let ended = async {
            match end {
                Some(status) => Ok(status),
                None => std::future::pending().await,
            }
        };
        let start = tokio::time::Instant::now();
        // The output is closed once enough of it was read.
        let (read, ()) = tokio::join!(output_and_status(stdout, ended), print);
        let (output, status) = read.unwrap();
        assert!(start.elapsed() <= 10 * PATIENCE);
        assert_eq!((output.is_empty(), status), (false, end));
    }
}
