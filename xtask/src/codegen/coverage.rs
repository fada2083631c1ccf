//! `docs/coverage.md`: the functions, and the data sources of the Terraform provider for the same manager.

use netmgr_lookups::{ALL, Description, FunctionEntry};

use super::functions::available_on;
use super::markdown::{HEADER, row};
use super::terraform::data_source;
use super::{Generated, netmgr};

/// The page.
pub(super) fn file() -> Generated {
    let (covered, others): (Vec<&FunctionEntry>, Vec<&FunctionEntry>) =
        ALL.iter().partition(|entry| entry.spec.has_counterpart);
    let others = others
        .iter()
        .map(|entry| format!("[{0}](functions/{0}.md)", entry.spec.name));
    let mut text = format!(
        "{HEADER}\n# Coverage\n\n\
         There are {} functions, one for each data source of the Terraform provider `nsxt` (versions 3.8.0 and 3.12, and \
         its newest branch), and {} more: {}.\n\n\
         - **Manager** lists the kinds of manager that have the function (local policy managers, global managers, the \
         hosted cloud), the minimum version, and the first version without it. The pages of functions that were removed \
         link to their replacements.\n\
         - **Context** is a location that the lookup can be limited to.\n\n\
         | Function | Data source | Manager | Context |\n|---|---|---|---|\n",
        covered.len(),
        others.len(),
        others.collect::<Vec<_>>().join(", "),
    );
    for entry in covered {
        let function = entry.describe();
        text.push_str(&row([
            &format!("[{0}](functions/{0}.md)", function.name),
            &format!("`{}`", data_source(&function)),
            &managers(entry.spec.removed_in, &function),
            &context(&function),
        ]));
    }
    Generated {
        path: "docs/coverage.md".to_owned(),
        text,
    }
}

fn managers(removed_in: Option<&str>, function: &Description) -> String {
    let kinds = match &function.available_on {
        Some(_) => short(&available_on(function)),
        None => "all".to_owned(),
    };
    let from = short(&netmgr::minimum_versions(function));
    let from = (!from.is_empty()).then(|| format!("from {from}"));
    let below = removed_in.map(|version| format!("below {version}"));
    let parts: Vec<String> = [Some(kinds), from, below].into_iter().flatten().collect();
    parts.join("; ")
}

/// The kinds of manager in one word each.
fn short(kinds: &str) -> String {
    kinds
        .replace("policy manager", "local")
        .replace("global manager", "global")
        .replace("hosted cloud", "cloud")
}

fn context(function: &Description) -> String {
    let Some(context) = function.inputs.iter().find(|input| input.name == "context") else {
        return String::new();
    };
    let has = |name: &str| context.properties.iter().any(|member| member.name == name);
    let kind = match () {
        () if has("vpcId") => "VPC",
        () if has("fromGlobal") => "project or global",
        () => "project",
    };
    match context.required {
        true => format!("{kind}, required"),
        false => kind.to_owned(),
    }
}
