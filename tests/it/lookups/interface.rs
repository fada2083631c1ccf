//! Names and shapes of inputs and outputs, and values of another shape.

use netmgr_lookups::{ALL, ErrorKind, Property, Shape, properties};
use netmgr_types::Deployment;
use serde_json::{Value, json};

use super::findings::Findings;
use super::harness::World;
use super::table::{Member, ROWS, Row};

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
        if (are_inputs || row.states_all_outputs()) && property.required != member.required {
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
        let entry = row.entry();
        let inputs = properties(&(entry.input_schema)());
        compare(&mut findings, row, &row.inputs, &inputs, true);
        let outputs = properties(&(entry.output_schema)());
        compare(&mut findings, row, &row.outputs, &outputs, false);
        if row.states_all_outputs() {
            let others = outputs.iter().map(|output| output.name.as_str());
            let is_stated = |name: &str| row.outputs.iter().any(|output| output.name == name);
            for name in others.filter(|name| *name != "context" && !is_stated(name)) {
                findings.add(row, &json!(name), "is not an output of the table");
            }
        }
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

#[tokio::test(start_paused = true)]
async fn inputs_that_are_missing_unknown_or_of_another_type_are_refused_before_any_request() {
    for entry in ALL.iter() {
        let is_local = entry.spec.availability.includes(Deployment::PolicyManager);
        let world = if is_local { World::local() } else { World::global() };
        let bench = world.start();
        let refused = async |input: Value| bench.fails(entry.spec.name, input, ErrorKind::InvalidInput).await;
        let example = entry.describe().example;
        let with = |name: &str, value: Value| {
            let mut input = example.clone();
            input[name] = value;
            input
        };
        refused(with("displayname", json!("x"))).await;
        for property in properties(&(entry.input_schema)()) {
            let wrong = match property.shape {
                Shape::String => json!(5),
                _ => json!("5"),
            };
            refused(with(&property.name, wrong)).await;
            if property.required {
                refused(with(&property.name, Value::Null)).await;
                let mut without = example.clone();
                without.as_object_mut().unwrap().remove(&property.name);
                refused(without).await;
            }
        }
    }
}
