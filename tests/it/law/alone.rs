//! The lookups of a program, each with a client of its own.

use super::checks::{Case, is_a_login, is_answer};
use super::faults::{edges, is_login};
use super::program::{Planned, Program};
use super::world::{Clients, PLACES, Run, Sent, run};

/// How much later than alone a lookup may begin its own request, and end: the queues, a silent wide request, and the pace
/// after a failure. In milliseconds, like all times here.
pub(super) const BOUND: u64 = 15_000;

/// How much longer, if a runtime rests that holds a login.
pub(super) const REST: u64 = 62_000;

/// How much longer, if more requests hang than the governor has places.
const ATTEMPT: u64 = 60_000;

/// Delays with which a lookup alone is compared, if its outcome at once is another one.
const DELAYS: &[u64] = &[
    0, 50, 150, 400, 1000, 1500, 2500, 4000, 7000, 10_000, 12_500, BOUND,
];

/// Moments before the edge of a fault at which a lookup alone is compared as well.
const BEFORE_EDGES: [u64; 6] = [0, 10, 30, 60, 120, 240];

/// Logins whose moments are compared.
const MOMENTS_OF_LOGINS: usize = 8;

/// Time after which a login is slow.
const SLOW: u64 = 500;

/// Lookups of a program, each alone.
pub(super) struct Alone {
    pub(super) runs: Vec<Run>,
    /// The lookup of the program that each lookup of the runs is.
    of: Vec<usize>,
}

impl Alone {
    /// Each at its moment.
    pub(super) fn at_once(program: &Program) -> Self {
        let of = 0..program.lookups.len();
        let each = program.of_lookups(of.clone().map(|number| (number, program.lookups[number].start)));
        Self {
            runs: vec![run(&each, Clients::Each)],
            of: of.collect(),
        }
    }

    /// The lookups `numbers`, each at every moment that may be its own.
    ///
    /// A lookup that shares may begin its own request later than alone, and meet other faults. It may have a session, and
    /// be better off than alone. It shares the logins before it that failed or are under way, so that its moment may be
    /// that of one.
    pub(super) fn at_any_moment(program: &Program, together: &Run, numbers: &[usize]) -> Self {
        let logins = together.requests.iter().filter(|sent| is_a_login(program, sent));
        let logins: Vec<&Sent> = logins
            .filter(|sent| {
                !matches!(sent.status, Some(200 | 404)) || sent.ended.saturating_sub(sent.at) > SLOW
            })
            .collect();
        let logins = logins.iter().step_by(logins.len() / MOMENTS_OF_LOGINS + 1);
        let jumps = program
            .steps
            .iter()
            .flat_map(|(at, _)| [1, 20, 90].map(|before| at.saturating_sub(before)));
        let mut moments = Vec::new();
        for number in numbers {
            let Planned {
                start,
                deadline,
                delay,
                ..
            } = program.lookups[*number];
            let latest = start
                + if program.has_rest() {
                    BOUND
                } else {
                    BOUND.min(deadline / 2)
                };
            // Pages of one list can be on both sides of an edge.
            let before_edges =
                edges(&program.faults).flat_map(|at| BEFORE_EDGES.map(|before| at.saturating_sub(before)));
            let later = DELAYS
                .iter()
                .map(|delay| start + delay)
                .chain(before_edges)
                .chain(jumps.clone());
            let later = later.filter(|at| (start..=latest).contains(at));
            let with_login = logins.clone().map(|sent| sent.at.saturating_sub(delay));
            let all = later.chain(with_login).filter(|at| *at < start + deadline);
            moments.extend(all.map(|at| (*number, at)));
        }
        let faulty = program.of_lookups(moments.iter().copied());
        let with_sessions = Program {
            has_sessions: true,
            ..faulty.clone()
        };
        let healthy = Program {
            faults: Vec::new(),
            node_switches: Vec::new(),
            ..faulty.clone()
        };
        let programs = [faulty, with_sessions, healthy];
        Self {
            runs: programs
                .iter()
                .map(|program| run(program, Clients::Each))
                .collect(),
            of: moments.into_iter().map(|(number, _)| number).collect(),
        }
    }

    /// Whether a lookup has this outcome, and not much earlier. It may be later if the lookup alone fails. Of several
    /// faults, each may be the last one that it meets.
    pub(super) fn has(&self, case: &Case<'_>) -> bool {
        let Case { program, outcome, .. } = case;
        let rest = if program.has_rest() { REST } else { 0 };
        let waves = (program.lookups.len() / PLACES) as u64;
        let bound = BOUND + rest + waves * ATTEMPT + program.jumped(outcome.began, outcome.ended);
        // A login under way, which all share, is waited for.
        let logins = case
            .together
            .requests
            .iter()
            .filter(|sent| is_a_login(program, sent));
        let under_way = logins.filter(|sent| (sent.at..sent.ended).contains(&outcome.began));
        let login = under_way
            .map(|sent| sent.ended.min(outcome.ended) - outcome.began)
            .max();
        let bound = bound + login.unwrap_or_default();
        let is_better = is_answer(outcome) && !is_answer(case.alone);
        let outcomes = self.runs.iter().flat_map(|run| run.outcomes.iter().zip(&self.of));
        let of_it = outcomes.filter(|(_, of)| **of == case.number);
        of_it.filter_map(|(alone, _)| alone.as_ref()).any(|alone| {
            let fails_too = program.faults.len() > 1 && !is_answer(alone) && !is_answer(outcome);
            let is_same = alone.result == outcome.result || fails_too;
            is_same && (is_better || outcome.ended <= alone.ended + bound)
        })
    }

    /// The requests and logins that the lookups sent together in addition to those that they would have sent alone.
    pub(super) fn excess(&self, together: &Run) -> Vec<String> {
        type Count = fn(&Run, usize) -> usize;
        let counts: [(&str, Count); 3] = [
            ("requests", |run, client| run.sent_by(client, |_| true)),
            ("logins", |run, client| {
                run.sent_by(client, |sent| is_login(&sent.target))
            }),
            ("connections", |run, client| run.connections[client]),
        ];
        let excess = |(what, count): (&str, Count)| {
            let (together, alone) = (count(together, 0), self.most(count));
            (together > alone).then(|| format!("{together} {what}, alone {alone}"))
        };
        counts.into_iter().filter_map(excess).collect()
    }

    /// The sum of what each lookup took at most.
    fn most(&self, count: fn(&Run, usize) -> usize) -> usize {
        let mut most = vec![0; self.of.iter().max().map_or(0, |last| last + 1)];
        for run in &self.runs {
            for (client, number) in self.of.iter().enumerate() {
                most[*number] = most[*number].max(count(run, client));
            }
        }
        most.into_iter().sum()
    }
}
