//! Tests of words and remedies.

use serde_json::{Value, json};

use super::*;
use crate::Lookups;

fn words() -> Words {
    [
        ("displayName", "display_name"),
        ("projectId", "project_id"),
        ("licenseKeys", "license_keys"),
        ("caFile", "ca_file"),
        ("getComputeCollection", "netmgr_compute_collection"),
        ("id", "--id"),
    ]
    .map(|(name, word)| (name.to_owned(), word.to_owned()))
    .into_iter()
    .collect()
}

#[test]
fn names_become_those_of_the_front_end_except_in_quotes() {
    for (before, after) in [
        (
            "`context.projectId` must not be empty",
            "`context.project_id` must not be empty",
        ),
        ("`licenseKeys[1]` is wrong", "`license_keys[1]` is wrong"),
        (
            "with id \"id\", use the `id` that `getComputeCollection` returns",
            "with id \"id\", use the `--id` that `netmgr_compute_collection` returns",
        ),
        (
            "`displayName` \"displayName \\\" caFile `id`\" differs from `caFile`",
            "`display_name` \"displayName \\\" caFile `id`\" differs from `ca_file`",
        ),
        (
            "no group below /infra/displayName in project caFile",
            "no group below /infra/displayName in project caFile",
        ),
        ("\u{e9} displayNames", "\u{e9} displayNames"),
        ("ends with \"\\", "ends with \"\\"),
        ("a single ` remains", "a single ` remains"),
        ("at /infra/`displayName`", "at /infra/`displayName`"),
    ] {
        assert_eq!(words().text(before), after);
    }
}

#[test]
fn objects_that_no_input_distinguishes_are_read_by_their_path() {
    let candidate = |id: &str, path: Option<&str>| Candidate {
        path: path.map(str::to_owned),
        ..Candidate::new("x", id)
    };
    for (function, found, remedy) in [
        (
            "getPolicySegment",
            [
                candidate("a", Some("/infra/segments/a")),
                candidate("a", Some("/infra/tier-1s/b/segments/a")),
            ],
            "read one of them by its path with `getPolicyObject`",
        ),
        // The name is required.
        (
            "getComputeCollection",
            [candidate("a", None), candidate("b", None)],
            "select one of them by `id`",
        ),
    ] {
        let entry = Lookups::entry(function).unwrap();
        let inputs = CallInputs::of(entry, &json!({ "displayName": "x" }));
        let one_of = one_of(&found, Some("displayName"), &inputs).map(|remedy| remedy.to_string());
        assert_eq!(one_of.as_deref(), Some(remedy));
    }
}

/// Names in a text of the manager are not names of inputs, although they look alike.
#[test]
fn texts_of_the_manager_are_unchanged() {
    let text = "the attribute `id` of `displayName` is wrong";
    let failure = netmgr_transport::Failure::default().body_line(text);
    let request = RequestError::new(RequestErrorKind::Rejected, failure);
    let read = Error::request_failed("getIt", "groups by `displayName`", request);
    assert_eq!(
        in_one_clause(&read, None, &words()),
        format!("could not read groups by `display_name`: request rejected: request: {text}")
    );
    let failed = Error::RealizationFailed {
        function: "getIt",
        what: "segment /infra/segments/a".to_owned(),
        state: "ERROR".to_owned(),
        reason: text.to_owned(),
    };
    assert!(words().error(&failed).ends_with(text));
    let shared: Arc<Error> = Arc::new(Error::not_found("getIt", "use the `id`"));
    assert_eq!(words().error(&shared), "use the `--id`");
}

fn inputs(function: &str, input: &Value) -> CallInputs {
    CallInputs::of(Lookups::entry(function).unwrap(), input)
}

/// A remedy names an input that the function has, that was not given, and that selects one of the objects.
#[test]
fn several_objects_are_selected_by_an_input_that_distinguishes_them() {
    let object = |id: &str, parent: &str| Candidate::new("twin", id).path(format!("{parent}/x/{id}"));
    let ids = [object("a", "/infra"), object("b", "/infra")];
    let parents = [object("a", "/infra/y"), object("a", "/infra/z")];
    for (function, input, selector, found, expected) in [
        (
            "getPolicyGroup",
            json!({"displayName": "twin"}),
            Some("displayName"),
            &ids,
            "select one of them by `id` instead of `displayName`",
        ),
        (
            "getComputeManager",
            json!({}),
            None,
            &ids,
            "select one of them by `id`",
        ),
        (
            "getPolicySegmentPort",
            json!({"vifId": "att-500"}),
            Some("vifId"),
            &ids,
            "select one of them by `id` instead of `vifId`",
        ),
        (
            "getPolicySegmentPort",
            json!({"displayName": "twin"}),
            Some("displayName"),
            &parents,
            "restrict the selection with `segmentPath`",
        ),
        (
            "getPolicyObject",
            json!({"resourceType": "SegmentPort", "id": "a"}),
            Some("id"),
            &parents,
            "select one of them by `path` alone",
        ),
        (
            "getPolicyObjects",
            json!({"limit": 1}),
            None,
            &ids,
            "increase `limit`",
        ),
    ] {
        let mut error = Error::ambiguous("getIt", "several", found.as_slice(), 2);
        if let Error::Ambiguous { selector: by, .. } = &mut error {
            *by = selector.map(str::to_owned);
        }
        let remedy = error.remedy(&inputs(function, &input)).unwrap();
        assert_eq!(remedy.to_string(), expected, "{function} {input}");
    }
    // Nothing distinguishes them.
    let equal = [Candidate::new("twin", "a"), Candidate::new("twin", "a")];
    let error = Error::ambiguous("getIt", "several", equal, 2);
    assert_eq!(
        error.remedy(&inputs("getIpPool", &json!({"displayName": "twin"}))),
        None
    );
}

#[test]
fn the_clue_that_explains_most_is_the_remedy() {
    let clues = |selector: &str| Clues {
        selector: Some(selector.to_owned()),
        ..Clues::default()
    };
    let remedy =
        |clues: Clues, input: Value| clues.remedy(&inputs("getPolicyGroup", &input), None).to_string();
    let by_name = json!({"displayName": "x"});
    let similar = Clues {
        similar: vec!["tep pool ".to_owned(), "row\t9".to_owned()],
        ..clues("displayName")
    };
    assert_eq!(
        remedy(similar, by_name.clone()),
        r#"did you mean "tep pool " or "row\t9"?"#
    );
    let id = Clues {
        name_of_id: Some("storage".to_owned()),
        ..clues("displayName")
    };
    assert_eq!(
        remedy(id, by_name.clone()),
        r#"this is the id of "storage"; use `id` for an id"#
    );
    let outside = Clues {
        is_outside: true,
        ..clues("id")
    };
    let in_project = json!({"id": "x", "context": {"projectId": "dev"}});
    assert_eq!(
        remedy(outside.clone(), in_project.clone()),
        "omit `context` to select it"
    );
    let outside_and_similar = Clues {
        similar: vec!["y".to_owned()],
        ..outside
    };
    assert_eq!(
        remedy(outside_and_similar, in_project),
        "omit `context` to select it"
    );
    assert_eq!(
        remedy(clues("id"), json!({"id": "x "})),
        "remove the blank at the beginning or the end of `id`"
    );
    assert_eq!(
        remedy(clues("id"), json!({"id": "x"})),
        "use `displayName` if this is a display name and not an id"
    );
    assert_eq!(
        remedy(clues("displayName"), by_name),
        "check the inputs; names are case-sensitive"
    );
    assert_eq!(remedy(clues("vifId"), json!({"vifId": "x"})), "check the inputs");
}

#[test]
fn a_path_that_is_given_as_a_name_or_an_id_is_recognized() {
    for (function, input, expected) in [
        (
            "getPolicyGroup",
            json!({"displayName": "/infra/domains/default/groups/web"}),
            "this is a policy path; use its last part, \"web\", as `id`",
        ),
        (
            "getPolicyGroup",
            json!({"id": "/orgs/default/projects/dev/infra/domains/default/groups/web"}),
            "this is a policy path; use its last part, \"web\", as `id` and \"dev\" as `context.projectId`",
        ),
        (
            "getPolicyGroup",
            json!({"id": "/infra/domains/cgw/groups/web"}),
            "this is a policy path; use its last part, \"web\", as `id` and \"cgw\" as `domain`",
        ),
        (
            "getPolicyGroup",
            json!({"id": "/infra/segments/web"}),
            "this is the path of another type of object; read it with `getPolicyObject`",
        ),
        (
            "getPolicyBaremetalServer",
            json!({"id": "/infra/segments/web"}),
            "this is a policy path; read the object with `getPolicyObject`",
        ),
        (
            "getPolicyVm",
            json!({"id": "/infra/segments/web"}),
            "this is a policy path; read the object with `getPolicyObject`",
        ),
        (
            "getCertificate",
            json!({"id": "/infra/certificates/web"}),
            "this is a policy path; read the object with `getPolicyObject`",
        ),
        (
            "getPolicyTier1Gateway",
            json!({"displayName": "/infra/tier-1s/web"}),
            "this is a policy path; use `path` for a path",
        ),
        (
            "getPolicyGroup",
            json!({"displayName": "/infrastructure"}),
            "check the inputs",
        ),
    ] {
        let remedy = Clues::default().remedy(&inputs(function, &input), None);
        assert_eq!(remedy.to_string(), expected, "{input}");
    }
}
