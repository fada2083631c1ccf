//! A component with every kind of child, and a nested component.

use std::time::Duration;

use crate::components::{
    Alias, ChildOptions, ChildPackage, Component, ConstructError, InputProblems, List, Map, Output, Plain,
    Resource, Scope, object, properties, record,
};

record! {
    /// Inputs of the component under test.
    pub(super) struct Inputs {
        /// Text passed to the first child.
        pub(super) text: Output<String>,
        /// Elements passed to the first child.
        pub(super) elements: Option<List<String>>,
        /// Labels passed to the nested component.
        pub(super) labels: Option<Map<String>>,
        /// Whether there is a nested component.
        pub(super) nested: Option<Plain<bool>>,
        /// Objects, to see paths into them.
        pub(super) rules: Option<List<Rule>>,
    }

    /// An object in a list.
    pub(super) struct Rule {
        /// Number of repetitions, at least 1.
        pub(super) times: Output<i32>,
        /// Named by hand.
        pub(super) odd_name as "oddNAME": Option<Output<String>>,
    }

}

object! {
    /// Outputs of the component under test.
    pub(super) struct Outputs {
        /// ARN of the last child.
        pub(super) arn: Output<String>,
        /// Reference to the first child.
        #[schemars(extend("x-resource" = "aws:test:First"))]
        pub(super) first: Resource,
    }

}

record! {
    /// Inputs of the nested component.
    pub(super) struct InnerInputs {
        /// Anything.
        pub(super) arn: Output<String>,
        /// Anything.
        pub(super) labels: Option<Map<String>>,
    }

}

object! {
    /// Outputs of the nested component.
    pub(super) struct InnerOutputs {
        /// Its child's ARN.
        pub(super) arn: Output<String>,
    }
}

const PACKAGES: &[ChildPackage] = &[
    ChildPackage {
        name: "aws",
        version: "7.48.0",
        download_url: None,
    },
    ChildPackage {
        name: "kubernetes",
        version: "4.34.2",
        download_url: Some("https://plugins.example"),
    },
];

pub(super) struct Outer;
pub(super) struct Inner;

impl Component for Outer {
    const TOKEN: &'static str = "test:index:Outer";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn check(_: &str, inputs: &Inputs, problems: &mut InputProblems) {
        for (index, rule) in inputs
            .rules
            .iter()
            .flat_map(Output::peek_known)
            .flatten()
            .enumerate()
        {
            if rule
                .peek_known()
                .and_then(|rule| rule.times.peek_known())
                .is_some_and(|times| *times < 1)
            {
                problems.add(format!("rules[{index}].times"), "must be at least 1");
            }
        }
    }

    /// First, then second concurrently with nested (whose child is slow), then third after everything in
    /// nested.
    fn build(scope: &Scope, inputs: Inputs) -> Result<Outputs, ConstructError> {
        let name = scope.name();
        let account = scope.call("aws:test:getAccount", properties! { "text": inputs.text.clone() });
        let first = scope.register(
            "aws:test:First",
            format!("{name}-first"),
            properties! { "text": inputs.text, "elements": inputs.elements },
            ChildOptions::new(),
        );
        let second = scope.register(
            "aws:test:Second",
            format!("{name}-second"),
            properties! { "arn": first.output::<String>("arn"), "account": account.output::<String>("id") },
            ChildOptions::below(&first)
                .ignore_changes(["arn"])
                .alias(Alias::Urn("urn:old".into())),
        );
        let provider = scope.register(
            "pulumi:providers:kubernetes",
            format!("{name}-k8s"),
            properties! {},
            ChildOptions::new(),
        );
        let mut after = ChildOptions::new()
            .depends_on([&second])
            .deleted_with(&first)
            .delete_timeout(Duration::from_secs(60));
        if *inputs.nested.unwrap_or(true.into()).get() {
            let arn = first.output::<String>("arn");
            let nested = scope.component::<Inner>(
                format!("{name}-inner"),
                InnerInputs {
                    arn,
                    labels: inputs.labels,
                },
                ChildOptions::new().provider_for("kubernetes", &provider),
            )?;
            after = after.depends_on([&nested]);
        }
        let third = scope.register("aws:test:Third", format!("{name}-third"), properties! {}, after);
        scope.warn_if(
            third
                .output::<String>("arn")
                .map(|arn| Some(format!("made {arn}"))),
        );
        Ok(Outputs {
            arn: third.output("arn"),
            first,
        })
    }
}

impl Component for Inner {
    const TOKEN: &'static str = "test:index:Inner";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    type Inputs = InnerInputs;
    type Outputs = InnerOutputs;

    fn build(scope: &Scope, inputs: InnerInputs) -> Result<InnerOutputs, ConstructError> {
        let child = scope.register(
            "kubernetes:core/v1:ConfigMap",
            format!("{}-map", scope.name()),
            properties! { "data": properties! { "arn": inputs.arn }, "labels": inputs.labels },
            ChildOptions::new(),
        );
        Ok(InnerOutputs {
            arn: child.output("arn"),
        })
    }
}
