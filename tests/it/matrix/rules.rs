//! The permitted outcomes of a call under a fault: the kinds of outcomes and the number of requests.

use super::bench::{Class, Login, Normal};
use super::outcome::{Outcome, Right, WAIT_EXCEEDED};

/// The permitted outcomes of a call.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    outcomes: Vec<Outcome>,
    /// Logins that may be sent.
    logins: u32,
    /// How often each request of a call without faults may be sent.
    attempts: u32,
    /// Additional requests that may be sent.
    more: u32,
}

/// Attempts of a request with the default settings.
const ATTEMPTS: u32 = 5;
/// Polls within the 600 s of the examples, each with all its attempts.
pub(super) const POLLS: u32 = 66 * ATTEMPTS;

impl Rule {
    /// One of these outcomes, after one login and one attempt.
    pub(super) fn of(outcomes: &[Outcome]) -> Self {
        Self {
            outcomes: outcomes.to_vec(),
            logins: 1,
            attempts: 1,
            more: 0,
        }
    }

    pub(super) fn logins(self, logins: u32) -> Self {
        Self { logins, ..self }
    }

    pub(super) fn attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    pub(super) fn more(self, more: u32) -> Self {
        Self { more, ..self }
    }

    pub(super) fn allows(&self, outcome: &Outcome) -> bool {
        self.outcomes.contains(outcome)
    }

    /// The maximum number of requests of a function, including logins.
    pub(super) fn most(&self, normal: &Normal) -> u32 {
        self.logins + self.attempts * normal.reads + self.more
    }

    /// The maximum number of logins.
    pub(super) fn most_logins(&self) -> u32 {
        self.logins
    }

    /// The outcomes, for messages.
    pub(super) fn expected(&self) -> String {
        let outcomes: Vec<String> = self.outcomes.iter().map(Outcome::to_string).collect();
        outcomes.join(" or ")
    }
}

/// When a fault applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// At every matching request.
    Lasting,
    /// Only at the first one.
    Once,
}

/// Functions that a rule applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    All,
    Class(Class),
    Function(&'static str),
}

/// A fault and its rules.
pub(super) struct Row {
    /// Its name on the page.
    pub(super) name: String,
    pub(super) login: Login,
    /// The faults for the simulator; `count=1` is added to the last one if it happens once.
    pub(super) faults: Vec<String>,
    /// The deadline of the lookup in seconds; the default of the client if there is none.
    pub(super) deadline: Option<u64>,
    /// The functions that it applies to; all if there are none.
    only: Option<&'static [&'static str]>,
    /// The rules while it lasts; the first one that matches a function applies.
    lasting: Vec<(Who, Rule)>,
    once: Option<Rule>,
}

impl Row {
    /// A fault of every read, with this rule while it lasts.
    pub(super) fn new(name: impl Into<String>, effect: &str, rule: Rule) -> Self {
        Self::on(name, &format!("GET * {effect}"), rule)
    }

    /// A fault of certain requests.
    pub(super) fn on(name: impl Into<String>, fault: &str, rule: Rule) -> Self {
        Self {
            name: name.into(),
            login: Login::Session,
            faults: vec![fault.to_owned()],
            deadline: None,
            only: None,
            lasting: vec![(Who::All, rule)],
            once: None,
        }
    }

    /// Sets another login.
    pub(super) fn login(self, login: Login) -> Self {
        Self { login, ..self }
    }

    /// Sets the deadline of the lookup in seconds.
    pub(super) fn deadline(self, seconds: u64) -> Self {
        Self {
            deadline: Some(seconds),
            ..self
        }
    }

    /// Restricts the row to these functions.
    pub(super) fn only(self, functions: &'static [&'static str]) -> Self {
        Self {
            only: Some(functions),
            ..self
        }
    }

    /// Whether the row applies to a function.
    pub(super) fn concerns(&self, function: &str) -> bool {
        self.only.is_none_or(|only| only.contains(&function))
    }

    /// Sets another rule for a class of functions while the fault lasts.
    pub(super) fn but(mut self, class: Class, rule: Rule) -> Self {
        self.lasting.insert(0, (Who::Class(class), rule));
        self
    }

    /// Sets another rule for one function while the fault lasts.
    pub(super) fn but_of(mut self, function: &'static str, rule: Rule) -> Self {
        self.lasting.insert(0, (Who::Function(function), rule));
        self
    }

    /// Lets waits continue until their own timeout.
    pub(super) fn waits_go_on(self) -> Self {
        self.but(Class::Waits, Rule::of(&[WAIT_EXCEEDED]).more(POLLS))
    }

    /// Lets waits end like this or at their own timeout, with at most these logins.
    pub(super) fn waits_may_go_on(self, outcomes: &[Outcome], logins: u32) -> Self {
        let outcomes = [outcomes, &[WAIT_EXCEEDED]].concat();
        self.but(Class::Waits, Rule::of(&outcomes).logins(logins).more(POLLS))
    }

    /// Sets the rule for a fault that happens once.
    pub(super) fn once(self, rule: Rule) -> Self {
        Self {
            once: Some(rule),
            ..self
        }
    }

    /// Expects the correct answer with one more attempt if the fault happens once.
    pub(super) fn once_is_overcome(self) -> Self {
        self.once(Rule::of(&[Right]).more(1))
    }

    /// The phases with a rule.
    pub(super) fn phases(&self) -> Vec<Phase> {
        let once = self.once.as_ref().map(|_| Phase::Once);
        [Phase::Lasting].into_iter().chain(once).collect()
    }

    /// The rule of a function of this class.
    pub(super) fn rule(&self, phase: Phase, class: Class, function: &str) -> &Rule {
        if let (Phase::Once, Some(rule)) = (phase, &self.once) {
            return rule;
        }
        let is_for = |who: Who| match who {
            Who::All => true,
            Who::Class(only) => only == class,
            Who::Function(only) => only == function,
        };
        let rule = self.lasting.iter().find(|(who, _)| is_for(*who));
        &rule.expect("the last rule is for all").1
    }

    /// The faults of a phase.
    pub(super) fn faults(&self, phase: Phase) -> Vec<String> {
        let mut faults = self.faults.clone();
        if phase == Phase::Once
            && let Some(last) = faults.last_mut()
        {
            last.push_str(" count=1");
        }
        faults
    }
}

/// Repeated while it lasts, and overcome when it ends: this failure after all attempts.
pub(super) fn repeated(name: impl Into<String>, effect: &str, outcomes: &[Outcome]) -> Row {
    Row::new(name, effect, Rule::of(outcomes).attempts(ATTEMPTS)).once_is_overcome()
}

/// Like [`passing`], for a failure of the manager or the network, during which a wait continues.
pub(super) fn passing(name: impl Into<String>, effect: &str, outcomes: &[Outcome]) -> Row {
    repeated(name, effect, outcomes).waits_go_on()
}

/// Not repeated: this failure at the first request, also in a wait.
pub(super) fn lasting(name: impl Into<String>, effect: &str, outcomes: &[Outcome]) -> Row {
    Row::new(name, effect, Rule::of(outcomes))
}

/// A rejected credential: one new login, and the rejection is confirmed at most once.
pub(super) fn refused(name: impl Into<String>, effect: &str, outcomes: &[Outcome]) -> Row {
    Row::new(name, effect, Rule::of(outcomes).logins(2).attempts(2).more(1))
        .once(Rule::of(&[Right]).logins(2).more(2))
}

/// Without an effect, except for these additional requests.
pub(super) fn harmless(name: impl Into<String>, effect: &str, more: u32) -> Row {
    Row::new(name, effect, Rule::of(&[Right]).more(more))
}
