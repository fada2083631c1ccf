//! Names of adopted resources, from the display names of their objects.

use std::collections::{BTreeMap, BTreeSet};

use netmgr_lookups::typed::AnyObject;
use terraform_switch::unique;

/// Words that have a meaning of their own in Terraform.
const KEYWORDS: [&str; 7] = ["else", "false", "for", "if", "in", "null", "true"];

/// Names for the objects, each with the name of its resource. They are unique among all objects if `across_types` is set,
/// and otherwise among those of a resource, and do not depend on the order of the objects.
pub(super) fn names(objects: &[(&str, &AnyObject)], across_types: bool) -> Vec<String> {
    let first = objects.iter();
    let first = first.map(|(resource, object)| resource_name(resource, &object.display_name, &object.id));
    let mut names: Vec<String> = first.collect();
    let key = |index: usize, name: &str| {
        let resource = if across_types { "" } else { objects[index].0 };
        (resource, name.to_owned())
    };
    // Parts that distinguish objects with the same name.
    type Part<'a> = fn(&(&'a str, &'a AnyObject)) -> String;
    let parts: [Part<'_>; 3] = [
        |(resource, _)| noun(resource).to_owned(),
        |(_, object)| identifier(&object.id),
        |(_, object)| identifier(&object.path),
    ];
    for part in &parts[usize::from(!across_types)..] {
        let mut counts: BTreeMap<_, usize> = BTreeMap::new();
        for (index, name) in names.iter().enumerate() {
            *counts.entry(key(index, name)).or_default() += 1;
        }
        for (index, name) in names.iter_mut().enumerate() {
            if counts[&key(index, name)] > 1 {
                *name = format!("{name}_{}", part(&objects[index]));
            }
        }
    }
    let mut taken = BTreeSet::new();
    for (index, name) in names.iter_mut().enumerate() {
        *name = unique(name, |name| !taken.insert(key(index, name)));
    }
    names
}

/// The name of a resource for an object, from its display name or, without letters and digits in it, from its id.
pub(super) fn resource_name(resource: &str, display_name: &str, id: &str) -> String {
    let words = [display_name, id].map(identifier);
    let name = words
        .into_iter()
        .find(|words| !words.is_empty())
        .unwrap_or_default();
    let is_complete = name.starts_with(|first: char| first.is_ascii_lowercase());
    match is_complete && !KEYWORDS.contains(&&*name) {
        true => name,
        false => format!("{}_{name}", noun(resource))
            .trim_end_matches('_')
            .to_owned(),
    }
}

/// The letters and digits of a text in lower case, with `_` between words. Other scripts are left out, because shells and
/// programs spell these names too.
fn identifier(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("_")
}

/// The name of a resource without its prefixes: `group` for `nsxt_policy_group`.
fn noun(resource: &str) -> &str {
    let noun = resource.strip_prefix("nsxt_").unwrap_or(resource);
    noun.strip_prefix("policy_").unwrap_or(noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUP: &str = "nsxt_policy_group";

    fn object(display_name: &str, id: &str) -> AnyObject {
        let mut object = AnyObject::default();
        object.display_name = display_name.to_owned();
        object.id = id.to_owned();
        object.path = format!("/infra/domains/default/groups/{id}");
        object
    }

    fn named(objects: &[AnyObject]) -> Vec<String> {
        let objects: Vec<_> = objects.iter().map(|object| (GROUP, object)).collect();
        names(&objects, false)
    }

    #[test]
    fn names_are_readable_identifiers() {
        for (display_name, name) in [
            ("Web Servers", "web_servers"),
            ("web--servers.prod", "web_servers_prod"),
            ("10.0.0.0/8", "group_10_0_0_0_8"),
            ("true", "group_true"),
            ("Büro", "b_ro"),
            ("東京", "id_1"),
            ("", "id_1"),
            ("a\"${b}\n%{c}", "a_b_c"),
            ("__", "id_1"),
        ] {
            assert_eq!(named(&[object(display_name, "ID-1")]), [name], "{display_name}");
        }
        assert_eq!(named(&[object("東京", "東京")]), ["group"]);
    }

    #[test]
    fn equal_names_are_distinguished_independently_of_their_order() {
        let mut objects = [
            object("web", "a"),
            object("web", "b"),
            object("Web", "b"),
            object("web a", "c"),
            object("db", "d"),
        ];
        objects[2].path = "/infra/domains/other/groups/b".to_owned();
        let named_once = named(&objects);
        assert_eq!(
            named_once,
            [
                "web_a_infra_domains_default_groups_a",
                "web_b_infra_domains_default_groups_b",
                "web_b_infra_domains_other_groups_b",
                "web_a_infra_domains_default_groups_c",
                "db"
            ]
        );
        objects.reverse();
        let mut reversed = named(&objects);
        reversed.reverse();
        assert_eq!(named_once, reversed);
    }

    #[test]
    fn names_are_unique_in_each_group() {
        let objects = [object("web", "a"), object("web", "b")];
        let of_two = [
            ("nsxt_policy_group", &objects[0]),
            ("nsxt_policy_service", &objects[1]),
        ];
        assert_eq!(names(&of_two, false), ["web", "web"]);
        assert_eq!(names(&of_two, true), ["web_group", "web_service"]);
    }
}
