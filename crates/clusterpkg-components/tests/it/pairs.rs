//! Combinations of options in which every two options meet in all four ways.

/// For so many options, which ones are taken. Neighbours of a pair alternate, so that more than pairs are met.
pub(crate) fn pairs(options: usize) -> Vec<Vec<bool>> {
    let mut combinations: Vec<Vec<bool>> = Vec::new();
    for first in 0..options {
        for second in first + 1..options {
            for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
                let met = |taken: &Vec<bool>| taken[first] == a && taken[second] == b;
                if !combinations.iter().any(met) {
                    let seed = combinations.len();
                    let mut taken: Vec<bool> = (0..options)
                        .map(|option| (option * 7 + seed * 3) % 5 < 2)
                        .collect();
                    (taken[first], taken[second]) = (a, b);
                    combinations.push(taken);
                }
            }
        }
    }
    combinations
}

/// The members of `options` that are taken, in one object.
pub(crate) fn taken(options: &[(&str, serde_json::Value)], combination: &[bool]) -> serde_json::Value {
    let chosen = options.iter().zip(combination).filter(|(_, taken)| **taken);
    chosen
        .map(|((name, value), _)| (name.to_string(), value.clone()))
        .collect()
}
