//! The list of functions.

use netmgr_lookups::{ALL, Description};

use crate::arguments::{available_on, minimum_versions};
use crate::flags::command_name;
use crate::print::{self, Format};

/// Every function in `format`.
pub(crate) fn list(format: Format) -> String {
    let functions: Vec<Description> = ALL.iter().map(|entry| entry.describe()).collect();
    match format {
        Format::Json => print::json(&functions),
        Format::Yaml => print::yaml(&functions),
        Format::Table => {
            let header = ["FUNCTION", "AVAILABLE ON", "SINCE", "DOES"].map(str::to_owned);
            let rows = functions.iter().map(|function| {
                [
                    command_name(function.name),
                    available_on(function),
                    minimum_versions(function),
                    function.summary.to_owned(),
                ]
            });
            print::columns(&[header].into_iter().chain(rows).collect::<Vec<_>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_a_table_with_a_row_per_function() {
        let table = list(Format::Table);
        let cells = |row: &str| {
            let cells = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            cells.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(table.lines().count(), ALL.len() + 1);
        assert_eq!(
            cells(table.lines().next().unwrap()),
            ["FUNCTION", "AVAILABLE ON", "SINCE", "DOES"]
        );
        assert_eq!(
            cells(
                table
                    .lines()
                    .find(|line| line.starts_with("policy-bfd-profile "))
                    .unwrap()
            ),
            [
                "policy-bfd-profile",
                "global manager, policy manager, hosted cloud",
                "3.0.0 (hosted cloud)",
                "Finds a BFD profile by id or display name.",
            ]
        );
    }

    #[test]
    fn the_list_is_an_array_with_names_tokens_and_properties() {
        let functions: serde_json::Value = serde_json::from_str(&list(Format::Json)).unwrap();
        let function = functions
            .as_array()
            .unwrap()
            .iter()
            .find(|function| function["name"] == "getPolicyBfdProfile")
            .unwrap();
        assert_eq!(
            function["token"],
            "netmgr:index/getPolicyBfdProfile:getPolicyBfdProfile"
        );
        assert_eq!(function["minimumVersions"][0]["version"], "3.0.0");
        let names = |key: &str| {
            let properties = function[key].as_array().unwrap().iter();
            properties
                .map(|property| property["name"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(names("inputs"), ["description", "displayName", "id"]);
        assert_eq!(names("outputs"), ["description", "displayName", "id", "path"]);
    }
}
