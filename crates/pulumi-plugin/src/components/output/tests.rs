//! Tests that deferred values preserve marks: unknown, secret, dependencies.

use std::collections::BTreeSet;

use crate::values::{Urn, Value};
use futures_util::FutureExt;
use proptest::prelude::*;

use super::*;
use crate::components::{IntoProperty, all, all_of, format_output, json_text, properties};

/// An output that is resolved on the second poll.
fn slow<T: Deferrable>(data: OutputData<T>) -> Output<T> {
    Output::later(async move {
        tokio::task::yield_now().await;
        Ok(data)
    })
}

fn get<T: Deferrable>(output: &Output<T>) -> OutputData<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(output.resolve()).unwrap()
}

fn data() -> impl Strategy<Value = OutputData<u8>> {
    (
        any::<Option<u8>>(),
        any::<bool>(),
        proptest::collection::btree_set(0..5u8, 0..3),
    )
        .prop_map(|(value, secret, urns)| OutputData {
            value,
            secret,
            dependencies: urns.into_iter().map(|n| Urn::from(format!("urn:{n}"))).collect(),
        })
}

fn deferred(data: OutputData<u8>, late: bool) -> Output<u8> {
    if late { slow(data) } else { Output::ready(data) }
}

proptest! {
    #[test]
    fn prop_a_combination_is_unknown_secret_and_dependent_as_any_of_its_parts(
        parts in proptest::collection::vec((data(), any::<bool>()), 0..5),
    ) {
        let whole = get(&all_of(parts.iter().cloned().map(|(data, late)| deferred(data, late)).collect()));
        let values: Option<Vec<u8>> = parts.iter().map(|(part, _)| part.value).collect();
        let urns: BTreeSet<Urn> = parts.iter().flat_map(|(part, _)| part.dependencies.clone()).collect();
        prop_assert_eq!(whole.value, values);
        prop_assert_eq!(whole.secret, parts.iter().any(|(part, _)| part.secret));
        prop_assert_eq!(whole.dependencies, urns);
    }

    #[test]
    fn prop_a_tuple_carries_what_a_list_carries(a in data(), b in data(), c in data(), late in any::<[bool; 3]>()) {
        let part = |data: &OutputData<u8>, late| deferred(data.clone(), late);
        let tuple = all((part(&a, late[0]), part(&b, late[1]), part(&c, late[2]))).map(|(a, b, c)| vec![a, b, c]);
        let list = all_of(vec![part(&a, late[2]), part(&b, late[1]), part(&c, late[0])]);
        prop_assert_eq!(get(&tuple), get(&list));
    }

    #[test]
    fn prop_then_keeps_what_it_started_from(first in data(), second in data(), late in any::<[bool; 2]>()) {
        let next = deferred(second.clone(), late[1]);
        let chained = get(&deferred(first.clone(), late[0]).then(move |_| next));
        if first.value.is_none() {
            prop_assert_eq!(chained.value, None);
            prop_assert_eq!((chained.secret, chained.dependencies), (first.secret, first.dependencies));
        } else {
            prop_assert_eq!(chained.value, second.value);
            prop_assert_eq!(chained.secret, first.secret || second.secret);
            prop_assert_eq!(chained.dependencies, &first.dependencies | &second.dependencies);
        }
    }
}

#[test]
fn mapping_an_unknown_value_does_not_run_the_function() {
    let mapped = Output::<u8>::unknown()
        .secret()
        .map(|_| -> u8 { panic!("there is no value") });
    assert_eq!(
        get(&mapped),
        OutputData {
            secret: true,
            ..OutputData::unknown()
        }
    );
}

#[test]
fn known_values_are_mapped_without_waiting() {
    let output = Output::known(2).map(|n| n + 1);
    assert_eq!(output.peek_known(), Some(&3));
    assert_eq!(slow(OutputData::known(2)).peek_known(), None);
}

#[test]
fn a_shared_future_runs_once() {
    let runs = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let counter = runs.clone();
    let output = Output::later(async move {
        Ok(OutputData::known(
            counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed),
        ))
    });
    let both = all((output.clone(), output.clone())).map(|(a, b)| a + b);
    assert_eq!(get(&both).value, Some(0));
    assert_eq!(get(&output).value, Some(0));
    assert_eq!(runs.load(std::sync::atomic::Ordering::Relaxed), 1);
}

#[test]
fn debug_shows_no_secret() {
    let shown = format!(
        "{:?}",
        (Output::known("hunter2").secret(), Output::known("admin"))
    );
    assert_eq!(shown, r#"(Output([secret]), Output("admin"))"#);
    let secret = Output::known("hunter2").secret();
    assert!(!format!("{:?}", secret.peek()).contains("hunter2"));
}

#[test]
fn formatted_text_is_secret_when_a_part_is() {
    let password = slow(OutputData::known("hunter2".to_owned())).secret();
    let user = "admin";
    let text = format_output!("{user}:{password}", password = password);
    assert_eq!(
        get(&text),
        OutputData {
            secret: true,
            ..OutputData::known("admin:hunter2".to_owned())
        }
    );
}

#[test]
fn an_unknown_element_leaves_the_rest_of_a_list_known() {
    let list = vec![
        Output::known("a".to_owned()),
        Output::unknown(),
        slow(OutputData::known("c".to_owned())).secret(),
    ];
    let value = get(&list.into_property());
    assert_eq!(
        value.value,
        Some(Value::Array(vec!["a".into(), Value::UNKNOWN, Value::secret("c")]))
    );
    assert!(!value.secret);
}

#[test]
fn absent_members_are_left_out_of_objects() {
    let object = properties! { "a": None::<String>, "b": Output::known(Value::Null).secret(), "c": 1 };
    assert_eq!(
        get(&object.into_property()).value,
        Some(Value::from([("c", 1.into())]))
    );
}

#[test]
fn json_text_is_unknown_when_a_part_is_and_sorted_otherwise() {
    let text = json_text(properties! { "b": 1, "a": properties! { "deep": [true] } });
    assert_eq!(
        text.peek_known().map(String::as_str),
        Some(r#"{"a":{"deep":[true]},"b":1}"#)
    );
    let unknown = json_text(properties! { "a": Output::<String>::unknown(), "b": Output::known(1).secret() });
    assert_eq!(
        get(&unknown),
        OutputData {
            secret: true,
            ..OutputData::unknown()
        }
    );
}

#[test]
fn a_pending_output_is_ready_after_it_was_waited_for() {
    let output = slow(OutputData::known(7));
    assert!(output.resolve().now_or_never().is_none());
    get(&output);
    assert_eq!(output.peek_known(), Some(&7));
}
