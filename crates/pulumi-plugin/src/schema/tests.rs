//! Tests with the smallest package that has one of everything.

use serde_json::json;

use super::*;
use crate::components::{
    Component, ConstructError, Map as DeferredMap, Method, Output, Plain, Resource, Scope, object, record,
};
use crate::values;

pub(super) fn sample() -> Package<'static> {
    Package {
        meta: PackageMeta {
            description: "Shows.",
            display_name: Some("Sample"),
            keywords: &["kind/native"],
            ..PackageMeta::new("sample", "1.2.3")
        },
        config: Some(ConfigSchema {
            schema: json!({
                "title": "Settings",
                "description": "Settings.",
                "type": "object",
                "properties": {
                    "on": { "description": "A switch.", "type": ["boolean", "null"], "default": true },
                    "codes": {
                        "description": "Codes.", "default": [1],
                        "type": ["array", "null"], "items": { "type": "integer" },
                    },
                    "key": { "description": "A key.", "type": ["string", "null"], "x-secret": true },
                },
            }),
            environment: &[
                ("on", "SAMPLE_ON"),
                ("codes", "SAMPLE_CODES"),
                ("key", "SAMPLE_KEY"),
            ],
        }),
        functions: vec![FunctionSchema {
            token: "sample:index:find".to_owned(),
            description: "Finds.".to_owned(),
            input: json!({
                "title": "FindInput",
                "type": "object",
                "properties": {
                    "name": { "description": "A name.", "type": "string" },
                    "place": {
                        "description": "A place.",
                        "anyOf": [{ "$ref": "#/$defs/Place" }, { "type": "null" }],
                    },
                    "wait": { "description": "Seconds.", "type": ["number", "null"], "default": 1 },
                },
                "required": ["name"],
                "$defs": {
                    "Place": {
                        "description": "A place.",
                        "type": "object",
                        "properties": { "id": { "description": "Its id.", "type": "string" } },
                        "required": ["id"],
                    },
                },
            }),
            output: json!({
                "title": "FindOutput",
                "type": "object",
                "properties": {
                    "items": {
                        "description": "Names.",
                        "type": "object", "additionalProperties": { "type": "string" },
                    },
                },
                "required": ["items"],
            }),
        }],
        components: vec![ComponentSchema {
            token: "sample:index:FunctionGroup".to_owned(),
            description: "Groups.".to_owned(),
            inputs: json!({
                "title": "GroupInputs",
                "type": "object",
                "properties": {
                    "limit": { "description": "A limit.", "$ref": "#/$defs/Limit" },
                    "size": {
                        "description": "A size.", "type": "integer",
                        "x-plain": true, "x-default": 2, "x-deprecation": "use limit",
                    },
                },
                "required": ["limit"],
                "$defs": {
                    "Limit": {
                        "description": "A limit.",
                        "type": "object",
                        "x-external": "cloud:far/Limit:Limit",
                        "properties": { "most": { "description": "The most.", "type": "integer" } },
                    },
                },
            }),
            outputs: json!({
                "title": "GroupOutputs",
                "type": "object",
                "properties": {
                    "disk": { "description": "A disk.", "type": "object", "x-resource": "cloud:far/disk:Disk" },
                },
                "required": ["disk"],
            }),
            methods: Vec::new(),
        }],
        other_types: vec![json!({
            "title": "Aside",
            "description": "A type that is not used by another type.",
            "type": "object",
            "properties": { "id": { "description": "Its id.", "type": "string" } },
        })],
        dependencies: vec![ChildPackage {
            name: "cloud",
            version: "7.1.2",
            download_url: None,
        }],
        language: Value::Null,
    }
}

#[test]
fn a_function_takes_and_returns_objects() {
    let schema = sample().document().unwrap();
    assert_eq!(
        schema["functions"]["sample:index:find"],
        json!({
            "description": "Finds.",
            "inputs": {
                "type": "object",
                "properties": {
                    "name": { "description": "A name.", "type": "string" },
                    "place": { "description": "A place.", "$ref": "#/types/sample:index:Place" },
                    "wait": { "description": "Seconds.", "type": "number", "default": 1 },
                },
                "required": ["name"],
            },
            "outputs": {
                "type": "object",
                "properties": {
                    "items": {
                        "description": "Names.",
                        "type": "object", "additionalProperties": { "type": "string" },
                    },
                },
                "required": ["items"],
            },
        })
    );
    assert_eq!(
        schema["types"],
        json!({
            "sample:index:Aside": {
                "description": "A type that is not used by another type.",
                "type": "object",
                "properties": { "id": { "description": "Its id.", "type": "string" } },
            },
            "sample:index:Place": {
                "description": "A place.",
                "type": "object",
                "properties": { "id": { "description": "Its id.", "type": "string" } },
                "required": ["id"],
            },
        })
    );
}

#[test]
fn a_function_without_inputs_takes_no_object() {
    let mut package = sample();
    package.functions[0].input["properties"] = json!({});
    let schema = package.document().unwrap();
    assert_eq!(schema["functions"]["sample:index:find"].get("inputs"), None);
}

#[test]
fn a_component_refers_to_what_other_packages_define() {
    let schema = sample().document().unwrap();
    let cloud = "/cloud/v7.1.2/schema.json#";
    assert_eq!(
        schema["resources"]["sample:index:FunctionGroup"],
        json!({
            "description": "Groups.",
            "isComponent": true,
            "inputProperties": {
                "limit": {
                    "description": "A limit.",
                    "$ref": format!("{cloud}/types/cloud:far%2FLimit:Limit"),
                },
                "size": {
                    "description": "A size.", "type": "integer",
                    "plain": true, "deprecationMessage": "use limit",
                },
            },
            "requiredInputs": ["limit"],
            "properties": {
                "disk": {
                    "description": "A disk.",
                    "$ref": format!("{cloud}/resources/cloud:far%2Fdisk:Disk"),
                },
            },
            "required": ["disk"],
        })
    );
}

#[test]
fn a_package_without_settings_functions_and_components_has_no_place_for_them() {
    let package = Package {
        meta: PackageMeta::new("sample", "1.2.3"),
        ..Package::default()
    };
    let schema = package.document().unwrap();
    for part in [
        "config",
        "provider",
        "functions",
        "resources",
        "displayName",
        "keywords",
        "meta",
    ] {
        assert_eq!(schema.get(part), None, "{part}");
    }
}

#[test]
fn a_setting_is_a_variable_and_an_argument_read_from_the_environment_unless_it_is_a_list() {
    let schema = sample().document().unwrap();
    assert_eq!(
        schema["config"]["variables"],
        json!({
            "on": {
                "description": "A switch.", "type": "boolean",
                "defaultInfo": { "environment": ["SAMPLE_ON"] },
            },
            "codes": { "description": "Codes.", "type": "array", "items": { "type": "integer" } },
            "key": {
                "description": "A key.", "type": "string", "secret": true,
                "defaultInfo": { "environment": ["SAMPLE_KEY"] },
            },
        })
    );
    assert_eq!(
        schema["provider"]["inputProperties"],
        schema["config"]["variables"]
    );
}

#[test]
fn a_variable_without_a_setting_is_an_error() {
    let mut package = sample();
    package.config.as_mut().unwrap().environment = &[("off", "SAMPLE_OFF")];
    assert_eq!(
        package.document().unwrap_err().to_string(),
        "SAMPLE_OFF is the variable of off, which is no setting"
    );
}

#[test]
fn errors_name_the_place() {
    let mut package = sample();
    package.components[0].outputs["properties"]["disk"] = json!({ "type": ["string", "number"] });
    assert_eq!(
        package.document().unwrap_err().to_string(),
        "sample:index:FunctionGroup: disk: has several types"
    );
    package.components[0].token = "other:index:Group".to_owned();
    assert_eq!(
        package.document().unwrap_err().to_string(),
        "other:index:Group is not a token of the package sample"
    );
}

record! {
    /// Inputs of a site.
    pub(super) struct SiteInputs {
        /// Path of
        /// the pages.
        path: Output<String>,
        /// Whether the site is public.
        public: Plain<bool> = false,
        /// Name of the index page.
        index: Output<String> = "index.html",
        /// Lines of a page.
        lines: Output<i32> = 25,
        /// Pages of errors.
        errors: Option<DeferredMap<String>>,
        /// Anything.
        extra: Option<Output<values::Value>>,
    }
    /// Arguments of `address`.
    struct AddressArguments {
        /// A page of the site.
        page: Output<String> = "/",
    }
}
object! {
    /// Outputs of a site.
    struct SiteOutputs {
        /// The bucket.
        #[schemars(extend("x-resource" = "cloud:far/disk:Disk"))]
        disk: Resource,
    }
    /// Results of `address`.
    struct AddressResults {
        /// The address.
        address: Output<String>,
    }
}

struct Site;
struct Address;

impl Component for Site {
    const TOKEN: &'static str = "sample:index:Site";
    const DESCRIPTION: &'static str = "Pages in a bucket.";
    const PACKAGES: &'static [ChildPackage] = &[ChildPackage {
        name: "cloud",
        version: "7.1.2",
        download_url: None,
    }];
    const METHODS: &'static [MethodEntry] = &[MethodEntry::of::<Address>()];
    type Inputs = SiteInputs;
    type Outputs = SiteOutputs;

    fn build(_: &Scope, _: SiteInputs) -> Result<SiteOutputs, ConstructError> {
        Err(ConstructError::failed("only its types are read"))
    }
}

impl Method for Address {
    type Component = Site;
    const NAME: &'static str = "address";
    const DESCRIPTION: &'static str = "Address of a page.";
    type Arguments = AddressArguments;
    type Results = AddressResults;

    fn call(_: &Scope, _: &Resource, arguments: AddressArguments) -> Result<AddressResults, ConstructError> {
        Ok(AddressResults {
            address: arguments.page,
        })
    }
}

#[test]
fn types_defaults_and_methods_of_a_component_become_a_schema() {
    let meta = PackageMeta::new("sample", "1.2.3");
    let package = Package::of_components(meta, &[ComponentEntry::of::<Site>()]);
    let schema = package.document().unwrap();
    assert_eq!(
        schema["resources"]["sample:index:Site"],
        json!({
            "description": "Pages in a bucket.",
            "isComponent": true,
            "inputProperties": {
                "path": { "description": "Path of the pages.", "type": "string" },
                "public": {
                    "description": "Whether the site is public. Default: `false`.",
                    "type": "boolean", "default": false, "plain": true,
                },
                "index": {
                    "description": "Name of the index page. Default: `index.html`.",
                    "type": "string", "default": "index.html",
                },
                "lines": { "description": "Lines of a page. Default: `25`.", "type": "integer", "default": 25 },
                "errors": {
                    "description": "Pages of errors.",
                    "type": "object", "additionalProperties": { "type": "string" },
                },
                "extra": { "description": "Anything.", "$ref": "pulumi.json#/Any" },
            },
            "requiredInputs": ["path"],
            "properties": {
                "disk": {
                    "description": "The bucket.",
                    "$ref": "/cloud/v7.1.2/schema.json#/resources/cloud:far%2Fdisk:Disk",
                },
            },
            "required": ["disk"],
            "methods": { "address": "sample:index:Site/address" },
        })
    );
    assert_eq!(
        schema["functions"]["sample:index:Site/address"],
        json!({
            "description": "Address of a page.",
            "inputs": {
                "type": "object",
                "properties": {
                    "__self__": { "$ref": "#/resources/sample:index:Site" },
                    "page": { "description": "A page of the site. Default: `/`.", "type": "string", "default": "/" },
                },
                "required": ["__self__"],
            },
            "outputs": {
                "type": "object",
                "properties": { "address": { "description": "The address.", "type": "string" } },
                "required": ["address"],
            },
        })
    );
    assert_eq!(schema["types"], json!({}));
    assert_eq!(
        schema["language"]["nodejs"]["dependencies"]["@pulumi/cloud"],
        "^7.1.2"
    );
}

#[test]
fn two_members_of_one_token_are_refused() {
    let meta = PackageMeta::new("sample", "1.2.3");
    let package = Package::of_components(
        meta,
        &[ComponentEntry::of::<Site>(), ComponentEntry::of::<Site>()],
    );
    assert_eq!(
        package.document().unwrap_err().to_string(),
        "two components have the token sample:index:Site"
    );
    const TWICE: &[MethodEntry] = &[MethodEntry::of::<Address>(), MethodEntry::of::<Address>()];
    let site = ComponentEntry {
        methods: TWICE,
        ..ComponentEntry::of::<Site>()
    };
    let package = Package::of_components(PackageMeta::new("sample", "1.2.3"), &[site]);
    assert_eq!(
        package.document().unwrap_err().to_string(),
        "two functions have the token sample:index:Site/address"
    );
}

#[test]
fn a_resource_without_a_type_is_refused_with_what_to_do() {
    object! {
        /// Outputs.
        struct Untyped {
            /// A disk.
            disk: Resource,
        }
    }
    let mut package = sample();
    package.components[0].outputs = of_type(|generator| generator.subschema_for::<Untyped>());
    assert_eq!(
        package.document().unwrap_err().to_string(),
        "sample:index:FunctionGroup: disk: is a resource without a type; add \
         `#[schemars(extend(\"x-resource\" = \"<token>\"))]`"
    );
}
