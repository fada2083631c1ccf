//! The protocol with the example provider of `terraform-plugin`: numbers, panics, and a host without TLS.

use serde_json::json;

use super::support::{Module, host};

fn echo(arguments: &str) -> String {
    format!("data \"example_echo\" \"x\" {{ {arguments} }}\noutput \"x\" {{ value = data.example_echo.x }}\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn values_come_back_exactly() {
    let host = host!("values_come_back_exactly");
    let module = Module::of_example(host, "");
    for (arguments, name, expected) in [
        (
            "numbers = [1.1, 18446744073709551615, -5, 0.5, 1e30]",
            "numbers",
            "[1.1,18446744073709551615,-5,0.5,1000000000000000000000000000000]",
        ),
        ("number = null", "number", "null"),
        ("text = \"\"", "text", "\"\""),
        ("text = null", "text", "null"),
        ("flag = false", "flag", "false"),
        // The host composes the letter.
        ("text = \"Cafe\\u0301\"", "text", "\"Caf\u{e9}\""),
    ] {
        let text = echo(&arguments.replace(", ", ",").replace(',', ", "));
        module.write(
            "main.tf",
            &text.replace(
                "value = data.example_echo.x",
                &format!("value = jsonencode(data.example_echo.x.{name})"),
            ),
        );
        module.run("apply -auto-approve").await.succeeded();
        assert_eq!(module.outputs().await["x"], json!(expected), "{arguments}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nested_blocks_come_back_and_can_be_null_without_a_block() {
    let host = host!("nested_blocks_come_back_and_can_be_null_without_a_block");
    let module = Module::of_example(host, "");
    for (arguments, expected) in [
        ("", json!({"one": null, "row": [], "words": null})),
        (
            "text = \"without rows\"",
            json!({"one": null, "row": null, "words": null}),
        ),
        (
            "words = [\"b\", \"a\", \"b\"]\n one {\n name = \"x\"\n }\n row {\n name = \"y\"\n tag {\n name = \"q\"\n }\n \
             tag {\n name = \"p\"\n }\n }\n row {\n name = \"z\"\n }",
            json!({
                "one": {"name": "x"},
                "row": [{"name": "y", "tag": [{"name": "p"}, {"name": "q"}]}, {"name": "z", "tag": []}],
                "words": ["a", "b"],
            }),
        ),
        (
            "dynamic \"row\" {\n for_each = [\"d\"]\n content {\n name = row.value\n }\n }",
            json!({"one": null, "row": [{"name": "d", "tag": []}], "words": null}),
        ),
    ] {
        module.write(
            "main.tf",
            &format!(
                "data \"example_echo\" \"x\" {{\n{arguments}\n}}\n\
                 output \"x\" {{ value = {{ for name, value in data.example_echo.x : name => value \
                 if contains([\"one\", \"row\", \"words\"], name) }} }}\n"
            ),
        );
        module.run("apply -auto-approve").await.succeeded();
        assert_eq!(module.outputs().await["x"], expected, "{arguments}");
        module.run("plan -detailed-exitcode").await.succeeded();
    }
    for (arguments, expected) in [
        ("row {\n}", "The argument \"name\" is required"),
        (
            "row {\n name = 1\n }\n row {\n name = 2\n }\n row {\n name = 3\n }",
            "No more than 2 \"row\" blocks are allowed",
        ),
    ] {
        module.write(
            "main.tf",
            &format!("data \"example_echo\" \"x\" {{\n{arguments}\n}}\n"),
        );
        let errors = module.run("validate").await.failed();
        assert!(errors.contains(expected), "{errors}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_fails_its_read_alone_and_is_reported_as_a_crash() {
    let host = host!("a_panic_fails_its_read_alone_and_is_reported_as_a_crash");
    let text = format!("{}data \"example_panic\" \"y\" {{}}\n", echo("text = \"four\""));
    let module = Module::of_example(host, &text);
    let outcome = module.run("apply -auto-approve").await;
    assert!(
        outcome.stdout.contains("data.example_echo.x: Read complete"),
        "{}",
        outcome.stdout
    );
    let errors = outcome.failed();
    assert!(errors.contains("Error: Internal provider error"), "{errors}");
    // Hosts also show the output of the panic hook, unless they end before they read it.
    assert!(errors.contains("it panicked: as requested"), "{errors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_without_tls_is_served() {
    let host = host!("a_host_without_tls_is_served");
    let mut module = Module::of_example(host, &echo("text = \"four\""));
    module.set("TF_DISABLE_PLUGIN_TLS", "1");
    module.run("apply -auto-approve").await.succeeded();
    assert_eq!(module.outputs().await["x"]["length"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_folder_for_temporary_files_does_no_harm() {
    let host = host!("a_long_folder_for_temporary_files_does_no_harm");
    let mut module = Module::of_example(host, &echo("text = \"four\""));
    let long = module.path("tmp").join("x".repeat(100));
    std::fs::create_dir(&long).unwrap();
    module.set("TMPDIR", long.to_str().unwrap());
    module.run("apply -auto-approve").await.succeeded();
}
