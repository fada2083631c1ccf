//! `docs/coverage.md`: the functions beside the data sources of the Terraform provider for the same manager.

use netmgr_lookups::{ALL, Description, Entry};

use super::functions::available_on;
use super::markdown::{HEADER, row};
use super::terraform::data_source;
use super::{Generated, netmgr};

/// The page.
pub(super) fn file() -> Generated {
    let (covered, others): (Vec<&Entry>, Vec<&Entry>) =
        ALL.iter().partition(|entry| entry.spec.has_counterpart);
    let others = others
        .iter()
        .map(|entry| format!("[{0}](functions/{0}.md)", entry.spec.name));
    let mut text = format!(
        "{HEADER}\n# Coverage\n\n\
         {} functions: one for each data source of the Terraform provider `nsxt` in its versions 3.8.0 and 3.12 and \
         on its newest branch. None is missing. {} more have no data source there: {}.\n\n\
         - **Manager** names the kinds of manager with the function, and the lowest version and the first version \
         without it where there are such. Pages of functions of the older manager API name those that take their \
         place.\n\
         - **Context** is what the function can be restricted to: a project, a VPC, or the objects that a global \
         manager has sent to this one.\n\n\
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
        Some(_) => available_on(function),
        None => "all".to_owned(),
    };
    let from = netmgr::minimum_versions(function);
    let from = (!from.is_empty()).then(|| format!("from {from}"));
    let below = removed_in.map(|version| format!("below {version}"));
    let parts: Vec<String> = [Some(kinds), from, below].into_iter().flatten().collect();
    parts.join("; ")
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
