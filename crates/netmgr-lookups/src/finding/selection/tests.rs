//! Tests of the selection rules, by example and as properties.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn thing(id: &str, name: &str) -> Arc<ManagedObject> {
    let sent = json!({"id": id, "display_name": name, "description": "a"});
    Arc::new(serde_json::from_value(sent).unwrap())
}

/// An object with another description.
fn other(id: &str, name: &str) -> Arc<ManagedObject> {
    let mut object = thing(id, name);
    Arc::make_mut(&mut object).set("description", "b");
    object
}

fn named(name: &str, rule: NameRule) -> Criteria {
    Criteria {
        name: Some((name.to_owned(), rule)),
        filters: Vec::new(),
    }
}

/// Selects among all objects at once.
trait SelectAmong {
    fn choose(&self, objects: Vec<Arc<ManagedObject>>) -> Chosen;
}

impl SelectAmong for Criteria {
    fn choose(&self, objects: Vec<Arc<ManagedObject>>) -> Chosen {
        let mut selection = Selection::default();
        for object in objects {
            selection.add(self, &object);
        }
        selection.choose()
    }
}

fn id_of(chosen: Chosen) -> Option<String> {
    match chosen {
        Chosen::One(object) => Some(object.id().to_owned()),
        _ => None,
    }
}

#[test]
fn an_exact_name_beats_any_number_of_longer_ones() {
    let objects = vec![thing("1", "edge-2"), thing("2", "edge"), thing("3", "edge-3")];
    assert_eq!(
        id_of(named("edge", NameRule::ExactOrPrefix).choose(objects)).as_deref(),
        Some("2")
    );
}

#[test]
fn a_single_longer_name_answers_a_prefix() {
    let chosen = named("ed", NameRule::ExactOrPrefix).choose(vec![thing("1", "edge"), thing("2", "core")]);
    assert_eq!(chosen, Chosen::One(thing("1", "edge")));
}

#[test]
fn the_exact_rule_takes_no_prefix() {
    let chosen = named("ed", NameRule::Exact).choose(vec![thing("1", "edge")]);
    assert_eq!(chosen, Chosen::None { excluded: None });
}

#[test]
fn names_differ_by_case() {
    let chosen = named("Edge", NameRule::ExactOrPrefix).choose(vec![thing("1", "edge")]);
    assert_eq!(chosen, Chosen::None { excluded: None });
}

#[test]
fn a_name_in_another_form_is_the_name_unless_an_object_has_its_bytes() {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}");
    for rule in [NameRule::Exact, NameRule::ExactOrPrefix] {
        let other = named(composed, rule).choose(vec![
            thing("1", decomposed),
            thing("2", "cafe\u{301}-2"),
            thing("3", "cafe"),
        ]);
        assert_eq!(other, Chosen::One(thing("1", decomposed)));
        for wanted in [composed, decomposed] {
            let objects = vec![thing("1", composed), thing("2", decomposed)];
            let Chosen::One(chosen) = named(wanted, rule).choose(objects) else {
                panic!("{wanted} is the name of one object")
            };
            assert_eq!(chosen.name(), wanted);
        }
    }
}

#[test]
fn a_prefix_may_be_composed_where_the_name_is_not() {
    let longer = thing("1", "cafe\u{301}-1");
    let chosen = named("caf\u{e9}", NameRule::ExactOrPrefix).choose(vec![longer.clone()]);
    assert_eq!(chosen, Chosen::One(longer.clone()));
    let chosen = named("caf\u{e9}", NameRule::Exact).choose(vec![longer]);
    assert_eq!(chosen, Chosen::None { excluded: None });
}

#[test]
fn two_of_one_name_are_listed_in_order() {
    let chosen = named("edge", NameRule::ExactOrPrefix).choose(vec![
        thing("2", "edge"),
        thing("1", "edge"),
        thing("0", "edge-2"),
    ]);
    let Chosen::Several {
        exact: true,
        found,
        total: 2,
    } = chosen
    else {
        panic!("{chosen:?}")
    };
    assert_eq!(
        found.iter().map(|c| c.id.as_str()).collect::<Vec<_>>(),
        ["1", "2"]
    );
}

#[test]
fn at_most_ten_candidates_are_listed() {
    let objects = (0..25)
        .map(|n| thing(&n.to_string(), &format!("edge-{n}")))
        .collect();
    let Chosen::Several {
        exact: false,
        found,
        total: 25,
    } = named("edge", NameRule::ExactOrPrefix).choose(objects)
    else {
        panic!("several begin with edge")
    };
    assert_eq!(found.len(), 10);
}

#[test]
fn a_filter_that_excludes_everything_says_so() {
    let criteria = described("edge", "b");
    let edge = thing("1", "edge");
    assert_eq!(
        criteria.choose(vec![edge.clone(), thing("2", "core")]),
        Chosen::None {
            excluded: Some(Excluded {
                exact: true,
                found: vec![Misfit {
                    object: Candidate::of(&edge),
                    property: "description".to_owned(),
                    wanted: "b".to_owned(),
                    actual: "a".to_owned(),
                }],
                total: 1,
            })
        }
    );
}

/// A selection by name and description.
fn described(name: &str, description: &str) -> Criteria {
    named(name, NameRule::ExactOrPrefix).with_text("description", Some(description), "description")
}

#[test]
fn an_exact_name_that_a_filter_excludes_is_not_passed_over_for_a_longer_name() {
    let longer = other("2", "edge (old)/2");
    let objects = vec![longer.clone(), thing("1", "edge")];
    let Chosen::None {
        excluded: Some(excluded),
    } = described("edge", "b").choose(objects.clone())
    else {
        panic!("the object with the exact name does not fit")
    };
    assert!(excluded.exact);
    assert_eq!(excluded.found.len(), 1);
    assert_eq!(excluded.found[0].object.id, "1");
    // If no object has the exact name, the filter is applied to the longer names.
    assert_eq!(described("edg", "b").choose(objects), Chosen::One(longer));
}

#[test]
fn a_filter_chooses_among_objects_of_exactly_one_name() {
    let other = other("2", "edge");
    let chosen = described("edge", "b").choose(vec![thing("1", "edge"), other.clone()]);
    assert_eq!(chosen, Chosen::One(other));
}

proptest! {
    #[test]
    fn prop_the_order_of_the_list_does_not_matter(
        names in prop::collection::vec("[ab]{0,3}", 0..8),
        wanted in "[ab]{0,2}",
        seed in any::<prop::sample::Index>(),
    ) {
        let objects: Vec<Arc<ManagedObject>> =
            names.iter().enumerate().map(|(n, name)| thing(&n.to_string(), name)).collect();
        let mut turned = objects.clone();
        if !turned.is_empty() {
            let by = seed.index(turned.len());
            turned.rotate_left(by);
            turned.reverse();
        }
        for rule in [NameRule::Exact, NameRule::ExactOrPrefix] {
            let criteria = named(&wanted, rule);
            prop_assert_eq!(criteria.choose(objects.clone()), criteria.choose(turned.clone()));
        }
    }

    #[test]
    fn prop_objects_of_two_sources_are_selected_as_those_of_one(
        names in prop::collection::vec("[ab]{0,3}", 0..8),
        wanted in "[ab]{0,2}",
        split in 0_usize..9,
        overlap in 0_usize..9,
    ) {
        let objects: Vec<Arc<ManagedObject>> =
            names.iter().enumerate().map(|(n, name)| thing(&n.to_string(), name)).collect();
        let end = split.min(objects.len());
        let begin = end.saturating_sub(overlap);
        for rule in [NameRule::Exact, NameRule::ExactOrPrefix] {
            let criteria = named(&wanted, rule);
            let of = |objects: &[Arc<ManagedObject>]| {
                let mut selection = Selection::default();
                for object in objects {
                    selection.add(&criteria, object);
                }
                selection
            };
            let mut merged = of(&objects[..end]);
            merged.merge(of(&objects[begin..]));
            prop_assert_eq!(merged.choose(), criteria.choose(objects.clone()));
        }
    }
}
