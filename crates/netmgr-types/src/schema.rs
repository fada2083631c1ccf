//! What schemas need beside what schemars derives.

use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;

/// Joins the lines of every description, which derived schemas break where the source does;
/// paragraphs stay apart.
///
/// For `#[schemars(transform = netmgr_types::schema::join_lines)]` on a type.
pub fn join_lines(schema: &mut Schema) {
    let mut join = RecursiveTransform(|schema: &mut Schema| {
        if let Some(Value::String(description)) = schema.get_mut("description") {
            let paragraphs: Vec<String> = description
                .split("\n\n")
                .map(|text| text.replace('\n', " "))
                .collect();
            *description = paragraphs.join("\n\n");
        }
    });
    join.transform(schema);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_at_every_depth_and_paragraphs_stay() {
        let mut schema = schemars::json_schema!({
            "description": "one\ntwo\n\nthree\nfour",
            "properties": {"a": {"items": {"description": "five\nsix", "default": "x\ny"}}},
        });
        join_lines(&mut schema);
        assert_eq!(
            schema,
            schemars::json_schema!({
                "description": "one two\n\nthree four",
                "properties": {"a": {"items": {"description": "five six", "default": "x\ny"}}},
            })
        );
    }
}
