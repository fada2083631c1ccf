//! Names and shapes of inputs and outputs.

use netmgr_lookups::{Property, Shape, properties};

use super::objects::Findings;
use super::rows::{Member, ROWS, Row};
use serde_json::json;

/// Outputs of functions that are not in the table.
fn has(property: &Property, shape: &str) -> bool {
    match shape {
        "text" => property.shape == Shape::String,
        "int" => matches!(property.shape, Shape::Integer | Shape::Number),
        "bool" => property.shape == Shape::Boolean,
        "list" | "set" => matches!(property.shape, Shape::Strings | Shape::Numbers | Shape::Objects),
        "map" => property.shape == Shape::Map,
        "object" => property.shape == Shape::Object,
        other => panic!("no shape {other}"),
    }
}

fn compare(findings: &mut Findings, row: &Row, stated: &[Member], found: &[Property], are_inputs: bool) {
    for member in stated {
        let Some(property) = found.iter().find(|property| property.name == member.name) else {
            findings.add(row, &json!(member.name), "is missing");
            continue;
        };
        if !has(property, member.shape) {
            findings.add(
                row,
                &json!(member.name),
                format!("is {:?}, not {}", property.shape, member.shape),
            );
        }
        if are_inputs && property.required != member.required {
            findings.add(
                row,
                &json!(member.name),
                format!("required: {}", property.required),
            );
        }
    }
}

#[test]
fn inputs_and_outputs_are_those_of_the_table() {
    let mut findings = Findings::default();
    for row in ROWS.iter() {
        let entry = row.entry().unwrap();
        let inputs = properties(&(entry.input_schema)());
        compare(&mut findings, row, &row.inputs, &inputs, true);
        compare(
            &mut findings,
            row,
            &row.outputs,
            &properties(&(entry.output_schema)()),
            false,
        );
        let context = inputs.iter().find(|input| input.name == "context");
        let takes_one = row.contexts.project || row.contexts.vpc || row.contexts.from_global;
        if context.is_some() != takes_one
            || context.is_some_and(|context| context.required != row.contexts.required)
        {
            findings.add(row, &json!("context"), "differs from the table");
        }
        let required = inputs
            .iter()
            .filter(|input| input.required && input.name != "context");
        for input in required {
            if !row
                .inputs
                .iter()
                .any(|member| member.name == input.name && member.required)
            {
                findings.add(row, &json!(input.name), "must not be required");
            }
        }
    }
    findings.check();
}
