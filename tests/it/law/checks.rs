//! What has to hold for each lookup of a program.

use netmgr_lookups::ErrorKind;

use super::faults::{STRANGE, edges, is_login};
use super::known::{self, Case, LINGERS};
use super::program::{MARK, Planned, Program};
use super::world::{Clients, Outcome, PLACES, Run, Sent, run};

/// How much later than alone a lookup may begin its own request, and end: the queues, a silent wide request, and the pace
/// after a failure.
const BOUND: u64 = 15_000;

/// How much longer, if a runtime rests that holds a login.
const REST: u64 = 62_000;

/// Delays with which a lookup alone is compared, if its outcome at once is another one.
const DELAYS: &[u64] = &[
    0, 50, 150, 400, 1000, 1500, 2500, 4000, 7000, 10_000, 12_500, BOUND,
];

/// Logins whose moments are compared.
const MOMENTS_OF_LOGINS: usize = 8;

/// Logins that are sent in a period without success (decision logins).
const MOST_LOGINS: usize = 4;
const LOGIN_PERIOD: u64 = 180_000;

/// Longer than any program.
const LONGEST_RUN: u64 = 10_000_000;

/// Milliseconds after which a login is slow.
const SLOW: u64 = 500;

/// Longest attempt of a request.
const ATTEMPT: u64 = 60_000;

/// Requests that the governor lets through at once. More lookups than these may be too late if they have little time.
const BURST: usize = 30;

/// Requests that it lets through while the replies to others are due.
const PLACES_AT_FIRST: usize = 6;

/// What a program violates.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) violations: Vec<String>,
    /// The known defects that it shows.
    pub(super) known: Vec<&'static str>,
    pub(super) requests: Vec<Sent>,
}

/// Runs `program`, with its lookups together and each alone.
pub(super) fn judge(program: &Program) -> Verdict {
    let together = run(program, Clients::One);
    let alone = Alone::at_once(program);
    let mut verdict = Verdict {
        requests: together.requests.clone(),
        ..Verdict::default()
    };
    let left = together.left.iter().chain(&alone.runs[0].left);
    for left in left {
        match left.as_str() {
            LINGERS => verdict.known.push(LINGERS),
            _ => verdict.violations.push(format!("left: {left}")),
        }
    }
    verdict.violations.extend(too_many_logins(program, &together));

    let mut unlike = Vec::new();
    for (number, outcome) in together.outcomes.iter().enumerate() {
        let Some(outcome) = outcome else { continue };
        let wrong = wrong_text(program, number, outcome).or(wrong_answer(&program.lookups[number], outcome));
        verdict
            .violations
            .extend(wrong.map(|wrong| format!("{number}: {wrong}: {outcome}")));
        let at_once = alone.runs[0].outcomes[number].as_ref().unwrap();
        let case = Case {
            program,
            together: &together,
            number,
            outcome,
            alone: at_once,
        };
        if !is_excused(&case) && !alone.has(&case) {
            unlike.push(case);
        }
    }
    let is_excess = !alone.excess(&together).is_empty();
    if unlike.is_empty() && !is_excess {
        return verdict;
    }
    let numbers: Vec<usize> = match is_excess {
        true => (0..program.lookups.len()).collect(),
        false => unlike.iter().map(|case| case.number).collect(),
    };
    let alone = Alone::at_any_moment(program, &together, &numbers);
    for case in unlike.iter().filter(|case| !alone.has(case)) {
        match known::explanation(case) {
            Some(defect) => verdict.known.push(defect.what),
            None => {
                let Case {
                    number,
                    outcome,
                    alone,
                    ..
                } = case;
                verdict
                    .violations
                    .push(format!("{number}: {outcome}, alone {alone}"));
            }
        }
    }
    // The known defects cost requests.
    if is_excess && verdict.known.is_empty() {
        verdict.violations.extend(alone.excess(&together));
    }
    verdict
}

/// Whether the outcome of a lookup need not be that of the lookup alone.
fn is_excused(case: &Case<'_>) -> bool {
    let Case { program, outcome, .. } = case;
    let planned = &program.lookups[case.number];
    if is_locked_out(case) {
        return true;
    }
    match outcome.result {
        Err(ErrorKind::Cancelled) => planned.giving_up.is_some_and(|(_, at)| {
            let at = program.jump(at).map_or(at, |(_, until)| until);
            outcome.ended <= at.max(outcome.began) + 1
        }),
        Err(ErrorKind::DeadlineExceeded) => {
            let count = program.lookups.len();
            let is_crowded = count > BURST || count > PLACES_AT_FIRST && !program.faults.is_empty();
            let has_rest = program.has_rest() && planned.deadline <= BOUND + REST;
            // Or it passed while the clock jumped.
            is_crowded || has_rest || program.jump(planned.start + planned.deadline).is_some()
        }
        // A refused login is remembered.
        Err(ErrorKind::Unauthenticated) => {
            let sent = case
                .together
                .requests
                .iter()
                .filter(|sent| is_a_login(program, sent));
            sent.filter(|sent| sent.ended <= outcome.ended)
                .any(|sent| matches!(sent.status, Some(401 | 403)))
        }
        // Without a session, the request of another lookup is the login.
        Err(_) => outcome.text.contains("not sent, because"),
        Ok(_) => false,
    }
}

/// Whether no login was sent for a while, because too many had failed.
fn is_locked_out(case: &Case<'_>) -> bool {
    let Outcome { began, ended, .. } = case.outcome;
    // Processes that share a folder use the clock of the machine, on which a program takes no time.
    let period = if case.program.has_folder {
        LONGEST_RUN
    } else {
        LOGIN_PERIOD
    };
    let rows = failed_logins(case.program, case.together);
    let mut lockouts = rows.iter().filter_map(|row| row.get(MOST_LOGINS - 1));
    lockouts.any(|last| last.at < *ended && last.ended.saturating_add(period) > *began)
}

/// Whether more logins failed in a period than lock an account.
fn too_many_logins(program: &Program, together: &Run) -> Option<String> {
    let rows = failed_logins(program, together);
    let mut periods = rows.iter().flat_map(|row| row.windows(MOST_LOGINS + 1));
    let is_short = |logins: &&[&Sent]| logins[0].at + LOGIN_PERIOD > logins[MOST_LOGINS].at;
    // Without a session, a request that fails need not be a login.
    let logins = periods.find(is_short).filter(|_| program.has_session)?;
    Some(format!(
        "{} logins without success from {} ms on",
        logins.len(),
        logins[0].at
    ))
}

/// The logins without success, in rows between those with success.
fn failed_logins<'a>(program: &Program, run: &'a Run) -> Vec<Vec<&'a Sent>> {
    let mut rows = vec![Vec::new()];
    for sent in run.requests.iter().filter(|sent| is_a_login(program, sent)) {
        match sent.status {
            Some(200 | 404) => rows.push(Vec::new()),
            // The manager did not look at it.
            Some(429) => {}
            _ if sent.is_refused => {}
            _ => rows.last_mut().unwrap().push(sent),
        }
    }
    rows
}

/// Lookups of a program, each alone.
struct Alone {
    runs: Vec<Run>,
    /// The lookup of the program that each lookup of the runs is.
    of: Vec<usize>,
}

impl Alone {
    /// Each at its moment.
    fn at_once(program: &Program) -> Self {
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
    fn at_any_moment(program: &Program, together: &Run, numbers: &[usize]) -> Self {
        let logins = together.requests.iter().filter(|sent| is_a_login(program, sent));
        let logins: Vec<&Sent> = logins
            .filter(|sent| is_failure(sent) || sent.took() > SLOW)
            .collect();
        let logins = logins.iter().step_by(logins.len() / MOMENTS_OF_LOGINS + 1);
        let mut moments = Vec::new();
        for number in numbers {
            let Planned {
                start,
                deadline,
                delay,
                ..
            } = program.lookups[*number];
            let delayed = DELAYS.iter().map(|delay| start + delay);
            let jumps = program
                .steps
                .iter()
                .flat_map(|(at, _)| [1, 20, 90].map(|before| at.saturating_sub(before)));
            let latest = start
                + if program.has_rest() {
                    BOUND
                } else {
                    BOUND.min(deadline / 2)
                };
            let own = delayed
                .chain(edges(&program.faults))
                .chain(jumps)
                .filter(|at| (start..=latest).contains(at));
            let logins = logins.clone().map(|sent| sent.at.saturating_sub(delay));
            moments.extend(
                own.chain(logins)
                    .filter(|at| *at < start + deadline)
                    .map(|at| (*number, at)),
            );
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
        Self {
            runs: [faulty, with_sessions, healthy]
                .iter()
                .map(|program| run(program, Clients::Each))
                .collect(),
            of: moments.into_iter().map(|(number, _)| number).collect(),
        }
    }

    /// Whether a lookup has this outcome, and not much earlier. It may be later if the lookup alone fails.
    fn has(&self, case: &Case<'_>) -> bool {
        let Case { program, outcome, .. } = case;
        let rest = if program.has_rest() { REST } else { 0 };
        let waves = (program.lookups.len() / PLACES) as u64;
        let bound = BOUND + rest + waves * ATTEMPT + program.jumped(outcome.began, outcome.ended);
        let is_better = is_answer(outcome) && !is_answer(case.alone);
        let all = self.runs.iter().flat_map(|run| run.outcomes.iter().zip(&self.of));
        let mut all = all
            .filter(|(_, of)| **of == case.number)
            .filter_map(|(alone, _)| alone.as_ref());
        all.any(|alone| alone.result == outcome.result && (is_better || outcome.ended <= alone.ended + bound))
    }

    /// What the lookups sent together and would not have sent alone.
    fn excess(&self, together: &Run) -> Vec<String> {
        let counts = [
            (
                "requests",
                together.requests.len(),
                self.most(|run, client| run.sent_by(client, |_| true)),
            ),
            (
                "logins",
                together.sent_by(0, |sent| is_login(&sent.target)),
                self.most(|run, client| run.sent_by(client, |sent| is_login(&sent.target))),
            ),
            (
                "connections",
                together.connections[0],
                self.most(|run, client| run.connections[client]),
            ),
        ];
        counts
            .into_iter()
            .filter(|(_, together, alone)| together > alone)
            .map(|(what, together, alone)| format!("{together} {what}, alone {alone}"))
            .collect()
    }

    /// The sum of what each lookup took at most.
    fn most(&self, taken: impl Fn(&Run, usize) -> usize) -> usize {
        let mut most = vec![0; self.of.iter().max().map_or(0, |last| last + 1)];
        for run in &self.runs {
            for (client, number) in self.of.iter().enumerate() {
                most[*number] = most[*number].max(taken(run, client));
            }
        }
        most.into_iter().sum()
    }
}

/// Whether a lookup ends as it would if nothing failed.
fn is_answer(outcome: &Outcome) -> bool {
    matches!(
        outcome.result,
        Ok(_) | Err(ErrorKind::NotFound | ErrorKind::Ambiguous)
    )
}

/// Whether a request is a login, which every request is without a session.
fn is_a_login(program: &Program, sent: &Sent) -> bool {
    is_login(&sent.target) || !program.has_session
}

fn is_failure(sent: &Sent) -> bool {
    !sent.is_refused && !matches!(sent.status, Some(200 | 404))
}

/// Whether an error says what another lookup keeps secret.
fn wrong_text(program: &Program, number: usize, outcome: &Outcome) -> Option<String> {
    let others = program
        .lookups
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != number);
    let secrets = others.filter_map(|(_, planned)| planned.secret.as_ref());
    let mut said = secrets.filter(|secret| outcome.text.contains(*secret));
    said.next().map(|secret| format!("its error quotes {secret}"))
}

/// Whether an answer is from another place or from before the lookup.
fn wrong_answer(planned: &Planned, outcome: &Outcome) -> Option<String> {
    let is_marked = |text: &str| planned.mark.is_empty() || text.starts_with(&planned.mark[MARK.len()..]);
    let wrong = match &outcome.result {
        Ok(output) if output.contains(STRANGE) => Some("the answer is a stranger"),
        Ok(output) if output.split(MARK).skip(1).any(|text| !is_marked(text)) => {
            Some("the answer is another one")
        }
        Ok(_) if outcome.stamps.iter().any(|at| *at < planned.start) => Some("the answer is older"),
        _ => None,
    };
    wrong.map(str::to_owned)
}
