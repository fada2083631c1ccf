//! Options that children inherit from their parents, and the family of a failed child.

use crate::components::ResourceOptions;
use crate::components::recording::RecordingEngine;
use crate::components::{
    ChildOptions, ChildPackage, Component, ConstructError, Constructed, Output, Scope, object, properties,
    record,
};

use super::super::{ConstructRequest, construct};

record! {
    /// No inputs that matter.
    #[derive(Default)]
    struct Nothing {
        /// Anything.
        label: Option<Output<String>>,
    }
}
object! {
    /// Outputs of both components.
    struct Outputs {
        /// Identifier of a child.
        id: Output<String>,
    }
}

/// Three children on their own, of which two have a child, and a nested component with a child.
struct Family;
struct Branch;

impl Component for Family {
    const TOKEN: &'static str = "test:index:Family";
    const PACKAGES: &'static [ChildPackage] = &[];
    type Inputs = Nothing;
    type Outputs = Outputs;

    fn build(scope: &Scope, _: Nothing) -> Result<Outputs, ConstructError> {
        let elder = scope.register("a:b:Elder", "elder", properties! {}, ChildOptions::new());
        let younger = ChildOptions::new().protect(false);
        let younger = scope.register("a:b:Younger", "younger", properties! {}, younger);
        let heir = ChildOptions::new().protect_itself();
        let heir = scope.register("a:b:Heir", "heir", properties! {}, heir);
        scope.register("a:b:Child", "child", properties! {}, ChildOptions::below(&heir));
        let grandchild = properties! { "of": younger.id() };
        scope.register(
            "a:b:Grandchild",
            "grandchild",
            grandchild,
            ChildOptions::below(&younger),
        );
        scope.component::<Branch>(
            "branch",
            Nothing::default(),
            ChildOptions::new().retain_on_delete(false),
        )?;
        Ok(Outputs { id: elder.id() })
    }
}

impl Component for Branch {
    const TOKEN: &'static str = "test:index:Branch";
    const PACKAGES: &'static [ChildPackage] = &[];
    type Inputs = Nothing;
    type Outputs = Outputs;

    fn build(scope: &Scope, _: Nothing) -> Result<Outputs, ConstructError> {
        let leaf = scope.register("a:b:Leaf", "leaf", properties! {}, ChildOptions::new());
        Ok(Outputs { id: leaf.id() })
    }
}

/// Builds the family, and returns the names of what was registered.
async fn built(
    engine: RecordingEngine,
    options: ResourceOptions,
) -> (Vec<String>, Result<Constructed, ConstructError>) {
    let request = ConstructRequest {
        name: "family".to_owned(),
        options,
        ..ConstructRequest::default()
    };
    let built = construct::<Family>(engine.registrar(), request).await;
    let registrations = engine.record().registrations.into_iter();
    (
        registrations.map(|registration| registration.name).collect(),
        built,
    )
}

#[tokio::test]
async fn children_are_protected_and_retained_as_their_parents_unless_they_say_otherwise() {
    let engine = RecordingEngine::new();
    let options = ResourceOptions {
        protect: Some(true),
        retain_on_delete: Some(true),
        ..ResourceOptions::default()
    };
    built(engine.clone(), options).await.1.unwrap();
    let expected = [
        ("family", Some(true), Some(true)),
        ("elder", Some(true), Some(true)),
        ("younger", Some(false), Some(true)),
        ("grandchild", Some(false), Some(true)),
        ("heir", Some(true), Some(true)),
        ("child", Some(true), Some(true)),
        ("branch", Some(true), Some(false)),
        ("leaf", Some(true), Some(false)),
    ];
    let registrations = engine.record().registrations;
    assert_eq!(registrations.len(), expected.len());
    for (name, protect, retain) in expected {
        let mut found = registrations
            .iter()
            .filter(|registration| registration.name == name);
        let options = &found.next().unwrap().options;
        assert_eq!(
            (options.protect, options.retain_on_delete),
            (protect, retain),
            "{name}"
        );
    }
}

#[tokio::test]
async fn without_options_of_the_component_children_have_none() {
    let engine = RecordingEngine::new();
    built(engine.clone(), ResourceOptions::default()).await.1.unwrap();
    let record = engine.record();
    let leaf = record.find("a:b:Leaf", "leaf").unwrap();
    assert_eq!(
        (leaf.options.protect, leaf.options.retain_on_delete),
        (None, Some(false))
    );
    assert_eq!(record.find("a:b:Elder", "elder").unwrap().options.protect, None);
    assert_eq!(
        record.find("a:b:Heir", "heir").unwrap().options.protect,
        Some(true)
    );
    assert_eq!(
        record.find("a:b:Child", "child").unwrap().options.protect,
        Some(false)
    );
}

#[tokio::test]
async fn a_failed_child_fails_what_is_made_from_it_and_leaves_the_rest_to_be_made() {
    let (made, built) = built(RecordingEngine::new().lose("younger"), ResourceOptions::default()).await;
    assert_eq!(
        made,
        ["family", "elder", "younger", "heir", "child", "branch", "leaf"]
    );
    assert_eq!(
        built.unwrap_err().to_string(),
        r#"resources failed that others depend on: a:b:Younger "younger""#
    );
}

#[tokio::test]
async fn a_failed_child_that_nothing_is_made_from_fails_nothing() {
    let (made, built) = built(
        RecordingEngine::new().lose("grandchild"),
        ResourceOptions::default(),
    )
    .await;
    assert_eq!(made.len(), 8);
    assert!(built.unwrap().state.contains_key("id"));
}

#[tokio::test]
async fn outputs_of_a_failed_child_are_no_outputs_of_the_component() {
    let engine = RecordingEngine::new().lose("elder").lose("younger");
    let (_, failed) = built(engine.clone(), ResourceOptions::default()).await;
    let failed = failed.unwrap_err().to_string();
    // Nothing depended on the first, so the failure of the second is reported.
    assert!(failed.ends_with(r#": a:b:Younger "younger""#), "{failed}");
    let (made, failed) = built(RecordingEngine::new().lose("elder"), ResourceOptions::default()).await;
    assert_eq!(made.len(), 8);
    let failed = failed.unwrap_err().to_string();
    assert!(failed.ends_with(r#": a:b:Elder "elder""#), "{failed}");
}

#[tokio::test]
async fn a_component_that_was_skipped_has_no_children() {
    let (made, built) = built(RecordingEngine::new().lose("family"), ResourceOptions::default()).await;
    assert_eq!(made, ["family"]);
    let failed = built.unwrap_err().to_string();
    assert!(failed.ends_with(r#"test:index:Family "family""#), "{failed}");
}
