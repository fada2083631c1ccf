use super::*;

#[test]
fn the_cheaper_requests_are_chosen() {
    let of = |whole, narrow, pages| {
        let is_in_flight = false;
        let names = 0;
        (Demand { whole, narrow, names }, ListFacts { pages, is_in_flight })
    };
    let named = |names, (demand, facts)| (Demand { names, ..demand }, facts);
    let beside = |(demand, facts): (Demand, ListFacts)| {
        let is_in_flight = true;
        (
            demand,
            ListFacts {
                is_in_flight,
                ..facts
            },
        )
    };
    let long = Some(100);
    for ((demand, facts), is_list_cheaper, why) in [
        (
            of(false, 1, None),
            false,
            "one object costs one request either way",
        ),
        (of(false, 2, None), true, "most collections have one page"),
        (of(false, 2, Some(1)), true, "one page"),
        (of(false, 2, Some(2)), false, "two pages save nothing"),
        (of(false, 3, Some(2)), true, "two pages for three objects"),
        (of(false, 50, long), false, "a hundred pages for fifty objects"),
        (of(false, 101, long), true, "a hundred pages for more objects"),
        (of(true, 1, None), true, "the list is needed anyway"),
        (
            of(true, 1, long),
            false,
            "one object does not wait for a hundred pages",
        ),
        (
            of(true, 100, long),
            true,
            "a hundred pages that are needed anyway",
        ),
        (of(true, 0, None), false, "there is nothing that it replaces"),
        (
            named(8, of(false, 0, None)),
            false,
            "one search, which others share",
        ),
        (
            named(9, of(false, 0, None)),
            true,
            "so many names probably need the list as well",
        ),
        (named(1, of(false, 1, None)), true, "the list answers both"),
        (named(1, of(true, 0, None)), true, "the list is needed anyway"),
        (
            named(100, of(false, 0, long)),
            false,
            "a hundred pages for a few searches",
        ),
        (
            beside(of(false, 5, None)),
            false,
            "the list would wait for the one in flight",
        ),
        (
            beside(of(true, 5, None)),
            false,
            "only those that need the list wait",
        ),
    ] {
        assert_eq!(
            demand.is_list_cheaper(facts),
            is_list_cheaper,
            "{demand:?} {facts:?}: {why}"
        );
    }
}
