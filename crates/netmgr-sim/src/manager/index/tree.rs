//! Objects by a path and its beginnings.

use super::postings::{Keys, Union};

/// Objects by their path.
#[derive(Debug, Default)]
pub(super) struct PathTree {
    /// By every beginning of the path that ends with a slash, and by the empty one.
    below: Keys,
    /// By the longest of these beginnings.
    within: Keys,
}

impl PathTree {
    pub(super) fn add(&mut self, path: &str, number: u32) {
        self.below.add("", number);
        for (at, _) in path.match_indices('/') {
            self.below.add(&path[..=at], number);
        }
        self.within.add(folder(path), number);
    }

    /// All objects whose path begins with `start`, and perhaps some of the same folder.
    pub(super) fn beginning(&self, start: &str) -> Union<'_> {
        let folder = folder(start);
        if folder == start {
            return self.below.whole(folder);
        }
        let mut unions = vec![self.within.whole(folder)];
        let mut from = start.to_owned();
        while let Some((key, numbers)) = self.below.from(&from).next() {
            if !key.starts_with(start) {
                break;
            }
            unions.push(Union::of(vec![numbers]));
            // What follows this folder: '0' is the character after the slash.
            from = format!("{}0", &key[..key.len() - 1]);
        }
        Union::all(unions)
    }

    /// All objects whose path is `path`, and perhaps others of the same folder.
    pub(super) fn whole(&self, path: &str) -> Union<'_> {
        self.within.whole(folder(path))
    }
}

/// `path` up to its last slash.
fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::postings::intersection;
    use super::*;

    #[test]
    fn a_folder_excludes_its_neighbours() {
        let mut tree = PathTree::default();
        for (number, path) in ["/infra/a/1", "/infra/b/2", "/infra2/a/3", "/orgs/a/b/4", "/x"]
            .iter()
            .enumerate()
        {
            tree.add(path, u32::try_from(number).unwrap());
        }
        for (start, found) in [
            ("", &[0, 1, 2, 3, 4][..]),
            ("/", &[0, 1, 2, 3, 4]),
            ("/infra", &[0, 1, 2, 4]),
            ("/infra/", &[0, 1]),
            ("/infra/b", &[1]),
            ("/infra/b/", &[1]),
            ("/orgs/a/", &[3]),
            ("/none", &[4]),
        ] {
            assert_eq!(intersection(&[tree.beginning(start)]), found, "{start}");
        }
        assert_eq!(intersection(&[tree.whole("/infra/b/2")]), [1]);
    }

    proptest! {
        #[test]
        fn prop_no_path_is_missed(paths in prop::collection::vec("[a/0é]{0,6}", 0..12), start in "[a/0é]{0,4}") {
            let mut tree = PathTree::default();
            for (number, path) in (0..).zip(&paths) {
                tree.add(path, number);
            }
            let (begun, whole) = (intersection(&[tree.beginning(&start)]), intersection(&[tree.whole(&start)]));
            for (number, path) in (0..).zip(&paths) {
                prop_assert!(begun.contains(&number) || !path.starts_with(&start), "{}", path);
                prop_assert!(whole.contains(&number) || *path != start, "{}", path);
            }
        }
    }
}
