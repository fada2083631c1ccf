use bytes::Bytes;
use proptest::prelude::*;

use super::*;

fn row(number: usize) -> Row {
    Row::new(Bytes::from(format!(r#"{{"path":"/infra/{number}"}}"#)))
}

fn page(rows: impl IntoIterator<Item = usize>, cursor: Option<&str>, count: Option<u64>) -> RowPage {
    RowPage {
        rows: rows.into_iter().map(row).collect(),
        cursor: cursor.map(str::to_owned),
        result_count: count,
    }
}

fn list() -> ReadProgress {
    ReadProgress::new(ReadSource::List, None)
}

fn search() -> ReadProgress {
    ReadProgress::new(ReadSource::Search, None)
}

/// Processes `pages` of a search in order. Returns the rows and the final extent.
fn read(pages: Vec<RowPage>) -> (Vec<Row>, ReadSummary) {
    read_with(search(), pages)
}

fn read_with(mut progress: ReadProgress, pages: Vec<RowPage>) -> (Vec<Row>, ReadSummary) {
    let mut all = Vec::new();
    for page in pages {
        let (rows, step) = progress.take(page, Some(1000));
        all.extend(rows);
        if step == NextPage::Stop {
            break;
        }
    }
    (all, progress.extent())
}

#[test]
fn a_page_without_cursor_is_the_last() {
    let (rows, extent) = read(vec![page(0..2, Some("x"), Some(3)), page(2..3, None, None)]);
    assert_eq!(rows, [row(0), row(1), row(2)]);
    assert_eq!(
        extent,
        ReadSummary {
            pages: 2,
            rows: 3,
            announced: Some(3),
            has_changed: false,
            ending: Some(Ending::NoCursor)
        }
    );
    assert!(!extent.maybe_incomplete());
}

#[test]
fn the_searchs_cursor_on_its_last_page_ends_the_read() {
    let (_, extent) = read(vec![
        page(0..2, Some("2"), Some(3)),
        page(2..3, Some("3"), Some(3)),
    ]);
    assert_eq!((extent.pages, extent.ending), (2, Some(Ending::LastOffset)));
    assert!(!extent.maybe_incomplete());
}

#[test]
fn a_count_that_is_too_low_never_ends_a_list() {
    for cursors in [["5", "10", "15"], ["a", "b", "c"]] {
        let pages = (0..4).map(|number| {
            let rows = 5 * number..5 * number + 5;
            page(rows, cursors.get(number).copied(), Some(5))
        });
        let (rows, extent) = read_with(list(), pages.collect());
        assert_eq!((rows.len(), extent.ending), (20, Some(Ending::NoCursor)));
        assert!(!extent.maybe_incomplete());
    }
}

#[test]
fn a_sorted_list_without_cursors_and_counts_ends_with_an_empty_page() {
    let mut progress = ReadProgress::new(ReadSource::SortedList, None);
    let (_, step) = progress.take(page(0..3, None, None), Some(1000));
    assert_eq!(step, NextPage::Continue("3".to_owned()));
    let (rows, step) = progress.take(page(3..5, None, None), Some(1000));
    assert_eq!((rows.len(), step), (2, NextPage::Continue("5".to_owned())));
    let (rows, step) = progress.take(page(5..5, None, None), Some(1000));
    assert_eq!((rows.len(), step), (0, NextPage::Stop));
    assert!(!progress.extent().maybe_incomplete());
    let mut progress = ReadProgress::new(ReadSource::SortedList, None);
    let (_, step) = progress.take(page(0..3, None, Some(3)), Some(1000));
    assert_eq!(step, NextPage::Stop);
    // A manager that ignores the cursor repeats its only page.
    let mut progress = ReadProgress::new(ReadSource::SortedList, None);
    let (_, step) = progress.take(page(0..3, None, None), Some(1000));
    assert_eq!(step, NextPage::Continue("3".to_owned()));
    let (rows, step) = progress.take(page(0..3, None, None), Some(1000));
    assert_eq!((rows.len(), step), (0, NextPage::Stop));
    assert!(!progress.extent().maybe_incomplete());
}

#[test]
fn a_full_page_without_cursor_and_count_is_followed_by_its_offset() {
    let mut progress = list();
    let (_, step) = progress.take(page(0..3, None, None), Some(3));
    assert_eq!(step, NextPage::Continue("3".to_owned()));
    let (rows, step) = progress.take(page(3..5, None, None), Some(3));
    assert_eq!((rows.len(), step), (2, NextPage::Stop));

    // The manager ignores the cursor, or rejects it.
    let mut progress = list();
    progress.take(page(0..3, None, None), Some(3));
    let (rows, step) = progress.take(page(0..3, None, None), Some(3));
    assert_eq!((rows.len(), step), (0, NextPage::Stop));
    let mut progress = list();
    progress.take(page(0..3, None, None), Some(3));
    assert!(progress.reject_guess() && progress.is_over());
    assert!(!progress.extent().maybe_incomplete());

    let mut progress = list();
    let (_, step) = progress.take(page(0..3, None, Some(3)), Some(3));
    assert_eq!(step, NextPage::Stop);
    assert!(!progress.reject_guess());
}

#[test]
fn a_list_that_changes_is_read_again_once() {
    let mut progress = list();
    let mut take = |rows: std::ops::Range<usize>, cursor, count| {
        let (rows, step) = progress.take(page(rows, cursor, Some(count)), Some(1000));
        (rows, step, progress.extent())
    };
    take(0..2, Some("a"), 6);
    let (rows, step, _) = take(2..4, Some("b"), 5);
    assert_eq!((rows.len(), step), (2, NextPage::StartAgain));
    let (rows, ..) = take(0..3, Some("a"), 5);
    assert_eq!(rows, [], "they were returned before");
    let (rows, step, extent) = take(3..5, None, 5);
    assert_eq!((rows, step), (vec![row(4)], NextPage::Stop));
    assert_eq!((extent.pages, extent.rows, extent.announced), (4, 5, Some(5)));
    assert!(!extent.maybe_incomplete());
}

#[test]
fn a_list_that_changes_again_says_so() {
    let mut progress = list();
    for (cursor, count) in [(Some("a"), 6), (Some("b"), 7), (Some("a"), 7), (None, 8)] {
        progress.take(page(0..2, cursor, Some(count)), Some(1000));
    }
    assert!(progress.is_over());
    assert!(progress.extent().has_changed && progress.extent().maybe_incomplete());
}

#[test]
fn a_full_page_at_the_announced_end_may_not_be_the_last() {
    // The count is half of the actual number, and pages are shorter than requested.
    let pages = vec![
        page(0..2, Some("2"), Some(4)),
        page(2..4, Some("4"), Some(4)),
        page(4..6, Some("6"), Some(4)),
        page(6..8, Some("8"), Some(4)),
        page([], Some("8"), Some(4)),
    ];
    let (rows, extent) = read(pages);
    assert_eq!((rows.len(), extent.ending), (8, Some(Ending::NothingBehind)));
    assert!(!extent.maybe_incomplete());

    let mut progress = search();
    let (_, step) = progress.take(page(0..3, Some("3"), Some(3)), Some(3));
    assert_eq!(step, NextPage::Continue("3".to_owned()), "as many as requested");
}

#[test]
fn an_empty_page_that_leads_to_itself_is_a_plain_end() {
    let (rows, extent) = read(vec![page(0..2, Some("2"), None), page([], Some("2"), None)]);
    assert_eq!((rows.len(), extent.ending), (2, Some(Ending::NothingBehind)));
    assert!(!extent.maybe_incomplete());
}

#[test]
fn the_lists_end_mark_counts_only_when_all_rows_came() {
    let (_, extent) = read(vec![
        page(0..2, Some("0000x"), Some(3)),
        page(2..3, Some("0000y"), None),
    ]);
    assert_eq!((extent.pages, extent.ending), (2, Some(Ending::EndMark)));

    let mut progress = search();
    let (_, step) = progress.take(page(0..2, Some("0000x"), None), Some(1000));
    assert_eq!(step, NextPage::Continue("0000x".to_owned()), "no count, no proof");
}

#[test]
fn a_count_that_is_too_low_does_not_end_the_read() {
    let (rows, extent) = read(vec![page(0..2, Some("x"), Some(1)), page(2..4, None, Some(1))]);
    assert_eq!(rows.len(), 4);
    assert!(!extent.maybe_incomplete());
}

#[test]
fn a_count_that_is_too_high_is_reported_as_perhaps_incomplete() {
    let (_, extent) = read(vec![page(0..2, None, Some(3))]);
    assert!(extent.maybe_incomplete());
}

#[test]
fn the_count_is_read_from_the_first_page_that_has_it() {
    let pages = vec![
        page(0..1, Some("x"), None),
        page(1..2, Some("y"), Some(3)),
        page(2..3, None, Some(1)),
    ];
    assert_eq!(read(pages).1.announced, Some(3));
}

#[test]
fn a_repeated_cursor_ends_the_read_and_is_reported() {
    for announced in [None, Some(4)] {
        let pages = vec![
            page(0..2, Some("x"), announced),
            page(2..3, Some("y"), announced),
            page(3..4, Some("x"), announced),
        ];
        let (rows, extent) = read(pages);
        assert_eq!((rows.len(), extent.ending), (4, Some(Ending::CursorRepeated)));
        let shortfall = "the manager's pages ended without a last page after 4 objects";
        assert_eq!(extent.shortfall().as_deref(), Some(shortfall));
    }
}

#[test]
fn an_empty_page_with_a_fresh_cursor_is_not_the_end() {
    let pages = vec![
        page(0..1, Some("a"), None),
        page([], Some("b"), None),
        page([], Some("c"), None),
        page(1..2, None, None),
    ];
    assert_eq!(read(pages).0.len(), 2);
}

#[test]
fn three_pages_without_anything_new_end_the_read_and_are_reported() {
    let mut progress = search();
    progress.take(page(0..2, Some("0"), Some(2)), Some(1000));
    for (number, expected) in [(1, false), (2, false), (3, true)] {
        progress.take(page(0..2, Some(&format!("c{number}")), Some(2)), Some(1000));
        assert_eq!(progress.is_over(), expected, "page {number}");
    }
    assert_eq!(progress.extent().ending, Some(Ending::NothingNew));
    assert!(progress.extent().maybe_incomplete());
}

#[test]
fn an_object_on_two_pages_is_yielded_once() {
    let (rows, extent) = read(vec![page(0..3, Some("x"), None), page(2..5, None, None)]);
    assert_eq!(rows, [row(0), row(1), row(2), row(3), row(4)]);
    assert_eq!(extent.rows, 5);
}

#[test]
fn an_unfinished_read_is_incomplete() {
    let mut progress = search();
    progress.take(page(0..1, Some("x"), Some(1)), Some(1000));
    assert!(progress.extent().maybe_incomplete());
}

/// The cursor of the last page.
#[derive(Debug, Clone, Copy)]
enum Tail {
    Absent,
    Offset,
    EndMark,
    Repeated,
    /// All further pages are empty and have new cursors.
    Endless,
}

/// A manager with unusual pages, cursors and counts.
#[derive(Debug, Clone)]
struct Manager {
    pages: Vec<Vec<usize>>,
    offsets: bool,
    counts: Vec<Option<u64>>,
    tail: Tail,
}

impl Manager {
    fn cursor_after(&self, number: usize) -> String {
        if self.offsets {
            self.pages[..=number]
                .iter()
                .map(Vec::len)
                .sum::<usize>()
                .to_string()
        } else {
            format!("c{number}")
        }
    }

    fn page(&self, number: usize) -> RowPage {
        let last = self.pages.len() - 1;
        let cursor = if number < last {
            Some(self.cursor_after(number))
        } else {
            match self.tail {
                Tail::Absent => None,
                Tail::Offset => Some(self.pages.iter().map(Vec::len).sum::<usize>().to_string()),
                Tail::EndMark => Some(format!("0000{number}")),
                Tail::Repeated => Some(self.cursor_after(last.saturating_sub(1))),
                Tail::Endless => Some(format!("more{number}")),
            }
        };
        let rows = self.pages.get(number).cloned().unwrap_or_default();
        page(rows, cursor.as_deref(), self.counts[number % self.counts.len()])
    }
}

/// Up to 40 rows in arbitrary pages. Pages repeat rows of earlier ones, and up to two empty pages follow
/// each.
fn managers() -> impl Strategy<Value = Manager> {
    let page = (
        0..6_usize,
        proptest::collection::vec(any::<prop::sample::Index>(), 0..3),
        0..=2_usize,
    );
    let count = prop_oneof![Just(None), (0..60_u64).prop_map(Some)];
    let tail = prop_oneof![
        Just(Tail::Absent),
        Just(Tail::Offset),
        Just(Tail::EndMark),
        Just(Tail::Repeated),
        Just(Tail::Endless)
    ];
    (
        proptest::collection::vec(page, 1..8),
        any::<bool>(),
        proptest::collection::vec(count, 1..5),
        any::<bool>(),
        tail,
    )
        .prop_map(|(shape, offsets, mut counts, truthful, tail)| {
            let mut pages = Vec::new();
            let mut next = 0;
            for (fresh, repeats, empty) in shape {
                let mut rows: Vec<usize> = (next..next + fresh).collect();
                if next > 0 && fresh > 0 {
                    rows.extend(repeats.iter().map(|index| index.index(next)));
                }
                next += fresh;
                let barren = if fresh == 0 { 0 } else { empty };
                if fresh > 0 || pages.is_empty() {
                    pages.push(rows);
                }
                pages.extend(std::iter::repeat_n(Vec::new(), barren));
            }
            if truthful {
                counts = vec![Some(next as u64)];
            }
            Manager {
                pages,
                offsets,
                counts,
                tail,
            }
        })
}

/// Empty pages have the offset of the previous page.
fn is_readable(manager: &Manager) -> bool {
    !manager.offsets || manager.pages.iter().all(|rows| !rows.is_empty())
}

proptest! {
    #[test]
    fn prop_every_object_is_yielded_once_and_the_read_ends(
        manager in managers().prop_filter("misleading end", is_readable)
    ) {
        let mut progress = list();
        let mut yielded = Vec::new();
        let mut number = 0;
        let mut has_started_again = false;
        loop {
            let (rows, step) = progress.take(manager.page(number), Some(1000));
            yielded.extend(rows);
            number += 1;
            match step {
                NextPage::Continue(cursor) if number < manager.pages.len() => {
                    prop_assert_eq!(cursor, manager.cursor_after(number - 1));
                }
                NextPage::Continue(_) => {}
                NextPage::StartAgain => {
                    prop_assert!(!has_started_again);
                    has_started_again = true;
                    number = 0;
                }
                NextPage::Stop => break,
            }
            prop_assert!(number < manager.pages.len() + 4, "does not end");
        }
        let distinct = manager.pages.iter().flatten().max().map_or(0, |last| last + 1);
        prop_assert_eq!(yielded, (0..distinct).map(row).collect::<Vec<_>>());
        let extent = progress.extent();
        prop_assert_eq!(extent.rows, distinct as u64);
        if matches!(manager.tail, Tail::Absent) {
            prop_assert_eq!(
                extent.maybe_incomplete(),
                extent.has_changed || extent.announced > Some(extent.rows)
            );
        }
        let brings_news = manager.pages.last().is_some_and(|rows| !rows.is_empty());
        if matches!(manager.tail, Tail::Repeated) && manager.pages.len() > 1 && brings_news {
            prop_assert!(extent.maybe_incomplete());
        }
    }
}

#[test]
fn a_read_is_exhausted_after_so_many_pages_or_rows() {
    let mut progress = search();
    for number in 0..MOST_PAGES as usize {
        assert!(!progress.is_exhausted(), "{number}");
        progress.take(page([number], Some(&format!("c{number}")), None), Some(25));
    }
    assert!(progress.is_exhausted());

    let mut progress = search();
    progress.reading.received = MOST_ROWS;
    assert!(progress.is_exhausted());
}
