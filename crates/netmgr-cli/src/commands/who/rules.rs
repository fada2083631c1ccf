//! The rules and policies that name the groups of the answers.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::answers::{NamingRule, WhoAnswer};
use super::survey::{Survey, text};
use crate::failure::CliError;
use crate::session::LookupSession;

/// Types of objects that name groups in order to apply to their members.
const TYPES: [&str; 6] = [
    "GatewayPolicy",
    "IdsGatewayPolicy",
    "IdsRule",
    "IdsSecurityPolicy",
    "Rule",
    "SecurityPolicy",
];

/// Adds the rules to the groups of each answer. All rules are read at once.
pub(super) async fn add(
    session: &LookupSession,
    survey: &Survey,
    answers: &mut [WhoAnswer],
) -> Result<(), CliError> {
    let groups = answers.iter().flat_map(|answer| &answer.groups);
    let wanted: HashSet<String> = groups.map(|group| group.path.clone()).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let mut rules: HashMap<String, BTreeMap<String, NamingRule>> = HashMap::new();
    for object in survey.objects(session, &TYPES).await? {
        let named = object
            .mentions()
            .into_iter()
            .filter(|(_, path)| wanted.contains(path));
        for (member, group) in named {
            let of_group = rules.entry(group).or_default();
            let rule = of_group.entry(object.path.clone()).or_insert_with(|| NamingRule {
                path: object.path.clone(),
                display_name: object.display_name.clone(),
                resource_type: object.resource_type.clone(),
                action: text(&object, "action").to_owned(),
                members: Vec::new(),
            });
            rule.members.push(member);
        }
    }
    for group in answers.iter_mut().flat_map(|answer| &mut answer.groups) {
        let of_group = rules.get(&group.path);
        group.rules = of_group.into_iter().flat_map(BTreeMap::values).cloned().collect();
    }
    Ok(())
}
