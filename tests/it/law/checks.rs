//! The properties of each lookup of a program, and of all of them together.

use netmgr_lookups::ErrorKind;

use super::alone::{Alone, BOUND, REST};
use super::faults::{STRANGE, is_login};
use super::program::{MARK, Planned, Program};
use super::world::{Clients, Outcome, Run, Sent, run};

/// Requests that the governor lets through at once. More lookups than these may be too late if they have little time.
const BURST: usize = 30;

/// Requests that it lets through while the replies to others are due.
const PLACES_AT_FIRST: usize = 6;

/// Logins that are sent in a period without success (decision logins).
const MOST_LOGINS: usize = 4;
const LOGIN_PERIOD: u64 = 180_000;

/// The violations of a program.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) violations: Vec<String>,
    pub(super) requests: Vec<Sent>,
}

/// A lookup, together with others and alone.
pub(super) struct Case<'a> {
    pub(super) program: &'a Program,
    pub(super) together: &'a Run,
    pub(super) number: usize,
    pub(super) outcome: &'a Outcome,
    pub(super) alone: &'a Outcome,
}

/// Runs `program`, with its lookups together and each alone.
pub(super) fn judge(program: &Program) -> Verdict {
    let together = run(program, Clients::One);
    let alone = Alone::at_once(program);
    let mut verdict = Verdict::default();
    for left in together.left.iter().chain(&alone.runs[0].left) {
        verdict.violations.push(format!("left: {left}"));
    }
    verdict.violations.extend(too_many_logins(program, &together));

    let mut unlike = Vec::new();
    for (number, outcome) in together.outcomes.iter().enumerate() {
        let Some(outcome) = outcome else { continue };
        let wrong = wrong_text(program, number, outcome).or(wrong_answer(&program.lookups[number], outcome));
        verdict
            .violations
            .extend(wrong.map(|wrong| format!("{number}: {wrong}: {outcome}")));
        let alone_at_once = alone.runs[0].outcomes[number].as_ref().unwrap();
        let case = Case {
            program,
            together: &together,
            number,
            outcome,
            alone: alone_at_once,
        };
        if !alone.has(&case) && !is_excused(&case) {
            unlike.push(case);
        }
    }
    let is_excess = !alone.excess(&together).is_empty();
    if !unlike.is_empty() || is_excess {
        let numbers: Vec<usize> = match is_excess {
            true => (0..program.lookups.len()).collect(),
            false => unlike.iter().map(|case| case.number).collect(),
        };
        let alone = Alone::at_any_moment(program, &together, &numbers);
        for Case {
            number,
            outcome,
            alone,
            ..
        } in unlike.iter().filter(|case| !alone.has(case))
        {
            verdict
                .violations
                .push(format!("{number}: {outcome}, alone {alone}"));
        }
        if is_excess {
            verdict.violations.extend(alone.excess(&together));
        }
    }
    verdict.requests = together.requests;
    verdict
}

/// Whether an error says what another lookup keeps secret.
fn wrong_text(program: &Program, number: usize, outcome: &Outcome) -> Option<String> {
    let others = program
        .lookups
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != number);
    let mut secrets = others.filter_map(|(_, planned)| planned.secret.as_ref());
    let secret = secrets.find(|secret| outcome.text.contains(*secret))?;
    Some(format!("its error quotes {secret}"))
}

/// Whether an answer is from another place or from before the lookup, or came after its deadline.
fn wrong_answer(planned: &Planned, outcome: &Outcome) -> Option<String> {
    let output = outcome.result.as_ref().ok()?;
    let is_marked = |text: &str| planned.mark.is_empty() || text.starts_with(&planned.mark[MARK.len()..]);
    let wrong = match output {
        _ if output.contains(STRANGE) => "the answer is a stranger",
        _ if !output.split(MARK).skip(1).all(is_marked) => "the answer is another one",
        _ if outcome.stamps.iter().any(|at| *at < planned.start) => "the answer is older",
        _ => return None,
    };
    Some(wrong.to_owned())
}

/// Whether the outcome of a lookup need not be the outcome of the lookup alone.
fn is_excused(case: &Case<'_>) -> bool {
    let Case {
        program,
        together,
        outcome,
        ..
    } = case;
    let planned = &program.lookups[case.number];
    let is_during_jump = program.jumped(outcome.began, outcome.ended) > 0;
    match outcome.result {
        _ if is_locked_out(case) => true,
        Err(ErrorKind::Cancelled) => planned.giving_up.is_some_and(|(_, at)| {
            let at = program.jump(at).map_or(at, |(_, until)| until);
            outcome.ended <= at.max(outcome.began) + 1
        }),
        // Some attempts come after a jump, and not before the end of a fault.
        Err(_) if is_during_jump && !is_answer(outcome) && !program.faults.is_empty() => true,
        Err(ErrorKind::DeadlineExceeded) => {
            let count = program.lookups.len();
            let is_crowded = count > BURST || count > PLACES_AT_FIRST && !program.faults.is_empty();
            let waits_for_rest = program.has_rest() && planned.deadline <= BOUND + REST;
            is_crowded || waits_for_rest || program.jump(planned.start + planned.deadline).is_some()
        }
        // A refused login is remembered.
        Err(ErrorKind::Unauthenticated) => {
            let logins = together.requests.iter().filter(|sent| is_a_login(program, sent));
            let mut before = logins.filter(|sent| sent.ended <= outcome.ended);
            before.any(|sent| matches!(sent.status, Some(401 | 403)))
        }
        // Without a session, the request of another lookup is the login. All share the budget of retries.
        Err(_) => ["not sent, because", "not repeated, because"]
            .iter()
            .any(|text| outcome.text.contains(text)),
        Ok(_) => false,
    }
}

/// Whether no login was sent for a while, because too many had failed.
fn is_locked_out(case: &Case<'_>) -> bool {
    // The file of an account has the clock of the machine, on which a program takes no time.
    let period = if case.program.has_folder {
        u64::MAX
    } else {
        LOGIN_PERIOD
    };
    let rows = failed_logins(case.program, case.together);
    let mut lockouts = rows.iter().filter_map(|row| row.get(MOST_LOGINS - 1));
    lockouts
        .any(|last| last.at < case.outcome.ended && last.ended.saturating_add(period) > case.outcome.began)
}

/// Whether more logins were sent in a period without success than may be.
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

/// Whether a request is a login, which every request is without a session.
pub(super) fn is_a_login(program: &Program, sent: &Sent) -> bool {
    is_login(&sent.target) || !program.has_session
}

/// Whether a lookup ends as it would if nothing failed.
pub(super) fn is_answer(outcome: &Outcome) -> bool {
    matches!(
        outcome.result,
        Ok(_) | Err(ErrorKind::NotFound | ErrorKind::Ambiguous)
    )
}
