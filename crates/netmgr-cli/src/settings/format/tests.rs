//! Tests of the formats of configuration files.

use serde_json::json;

use super::*;

fn parsed(name: &str, text: &str) -> Value {
    parse(Path::new(name), text).unwrap()
}

/// Any file is either settings or an error that quotes nothing of it, and printed YAML is read as the same value.
#[test]
#[cfg(feature = "yaml")]
fn fuzz_yaml() {
    let words = [
        "hunter2",
        ": ",
        "- ",
        "&a ",
        "*a",
        "<<: ",
        "!!str ",
        "---\n",
        "|\n",
        ">-\n",
        "\n  ",
        "? ",
        "[",
        "{",
        "'",
        "\"",
        "#",
        "%YAML 1.2\n",
        " = ",
        "[[",
        "profiles",
    ];
    fuzz_testing::fuzz("yaml", &words, |input| {
        let text = String::from_utf8_lossy(input);
        let (extension, text) = text.split_once('\n').unwrap_or(("", &text));
        let extension = ["yaml", "toml", "json"]
            .into_iter()
            .find(|known| *known == extension);
        let path = std::path::PathBuf::from(format!("config.{}", extension.unwrap_or("any")));
        match parse(&path, text) {
            Ok(value) => {
                let printed = crate::output::yaml(&value);
                let read = parse(Path::new("config.yaml"), &printed);
                let read = read.unwrap_or_else(|(_, error)| panic!("{error} in {printed:?} of {value}"));
                assert_eq!(read, value, "{printed:?}");
                let lines = text.lines().count();
                format!("{} {}", value.is_object(), lines.min(5))
            }
            Err((format, error)) => {
                let report = format!("{format} {error}");
                assert!(!report.contains("hunter2"), "the file is quoted: {report}");
                report
            }
        }
    });
}

#[test]
fn every_format_can_be_nested_as_deeply() {
    let json = |levels| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    let toml = |levels| format!("a{} = 1", ".a".repeat(levels - 1));
    for levels in [DEEPEST, DEEPEST + 1] {
        for (name, text) in [
            ("c.json", json(levels)),
            ("c.toml", toml(levels)),
            #[cfg(feature = "yaml")]
            ("c.yaml", json(levels)),
        ] {
            let error = parse(Path::new(name), &text).err();
            let reason = error.map(|(_, reason)| reason.to_string());
            let expected = (levels > DEEPEST).then(|| too_deep().to_string());
            assert_eq!(reason, expected, "{name}");
        }
    }
}

#[test]
fn a_file_is_toml_yaml_or_json() {
    let expected = json!({ "host": "m", "maxRetries": 2, "profiles": { "lab": { "username": "admin" } } });
    let toml = "host = \"m\"\nmaxRetries = 2\n[profiles.lab]\nusername = \"admin\"\n";
    let yaml = "host: m\nmaxRetries: 2\nprofiles:\n  lab:\n    username: admin\n";
    for name in ["config.toml", "config"] {
        assert_eq!(parsed(name, toml), expected);
    }
    for name in ["config.yaml", "config.yml", "config"]
        .iter()
        .filter(|_| cfg!(feature = "yaml"))
    {
        assert_eq!(parsed(name, yaml), expected);
    }
    for name in ["config.json", "config"] {
        for mark in ["", "\u{feff}"] {
            assert_eq!(parsed(name, &format!("{mark}{expected}")), expected);
        }
    }
}

#[test]
fn a_file_that_cannot_be_parsed_is_not_quoted() {
    for (name, text) in [
        ("c.json", "{ \"password\": \"hunter2\" \"x\" }"),
        ("c.yaml", "password: \"hunter2\nhost: ["),
        ("c.yaml", "password: hunter2\n  a: b: c\n"),
        ("c.toml", "password = \"hunter2\nhost = 1"),
        ("c.toml", "password = hunter2"),
    ] {
        let (_, error) = parse(Path::new(name), text).unwrap_err();
        assert!(!error.to_string().contains("hunter2"), "{name}: {error}");
    }
}
