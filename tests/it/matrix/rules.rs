//! The permitted outcomes of a call under a fault: the kinds of outcomes and the number of requests.

use super::bench::{Class, Login, Normal};
use super::outcome::{Outcome, Right, WAIT_EXCEEDED};

/// The permitted outcomes of a call.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    outcomes: Vec<Outcome>,
    /// Logins that may be sent.
    logins: u32,
    /// How often each request of an undisturbed call may be sent.
    attempts: u32,
    /// Requests that may be sent besides.
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

    /// The most requests of a function, logins included.
    pub(super) fn most(&self, normal: &Normal) -> u32 {
        self.logins + self.attempts * normal.reads + self.more
    }

    /// The most logins.
    pub(super) fn most_logins(&self) -> u32 {
        self.logins
    }

    /// The outcomes, for messages.
    pub(super) fn expected(&self) -> String {
        let outcomes: Vec<String> = self.outcomes.iter().map(Outcome::to_string).collect();
        outcomes.join(" or ")
    }
}

/// When a fault is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// At every request that it is about.
    Lasting,
    /// Only at the first one.
    Once,
}

/// Functions that a rule is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    All,
    Class(Class),
    Function(&'static str),
}

/// A fault and its rules.
pub(super) struct Row {
    /// In words, for the page.
    pub(super) name: String,
    pub(super) login: Login,
    /// The faults for the simulator; `count=1` is added to the last one when it happens once.
    pub(super) faults: Vec<String>,
    /// Seconds for the lookup; the default of the client where none.
    pub(super) deadline: Option<u64>,
    /// The functions that it is for; all where none.
    only: Option<&'static [&'static str]>,
    /// The rules while it lasts; the first that is for a function counts.
    lasting: Vec<(Who, Rule)>,
    once: Option<Rule>,
}

impl Row {
    /// A fault of every read, which matches this rule while it lasts.
    pub(super) fn new(name: impl Into<String>, effect: &str, rule: Rule) -> Self {
        Self::on(name, &format!("GET * {effect}"), rule)
    }

    /// A fault of the requests that it names.
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

    /// The same, with another login.
    pub(super) fn login(self, login: Login) -> Self {
        Self { login, ..self }
    }

    /// The same, with so many seconds for the lookup.
    pub(super) fn deadline(self, seconds: u64) -> Self {
        Self {
            deadline: Some(seconds),
            ..self
        }
    }

    /// The same for these functions only.
    pub(super) fn only(self, functions: &'static [&'static str]) -> Self {
        Self {
            only: Some(functions),
            ..self
        }
    }

    /// Whether the row is for a function.
    pub(super) fn concerns(&self, function: &str) -> bool {
        self.only.is_none_or(|only| only.contains(&function))
    }

    /// The same, with another rule for a class of functions while the fault lasts.
    pub(super) fn but(mut self, class: Class, rule: Rule) -> Self {
        self.lasting.insert(0, (Who::Class(class), rule));
        self
    }

    /// The same, with another rule for one function while the fault lasts.
    pub(super) fn but_of(mut self, function: &'static str, rule: Rule) -> Self {
        self.lasting.insert(0, (Who::Function(function), rule));
        self
    }

    /// The same; a wait continues until its own timeout.
    pub(super) fn waits_go_on(self) -> Self {
        self.but(Class::Waits, Rule::of(&[WAIT_EXCEEDED]).more(POLLS))
    }

    /// The same; a wait ends like this or when its own time is over, with these logins at most.
    pub(super) fn waits_may_go_on(self, outcomes: &[Outcome], logins: u32) -> Self {
        let outcomes = [outcomes, &[WAIT_EXCEEDED]].concat();
        self.but(Class::Waits, Rule::of(&outcomes).logins(logins).more(POLLS))
    }

    /// The same, and when the fault happens once, this rule.
    pub(super) fn once(self, rule: Rule) -> Self {
        Self {
            once: Some(rule),
            ..self
        }
    }

    /// The same, and when the fault happens once, the right answer with one more attempt.
    pub(super) fn once_is_overcome(self) -> Self {
        self.once(Rule::of(&[Right]).more(1))
    }

    /// The phases that have a rule.
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

/// Repeated while it lasts, and overcome when it passes: this failure after all attempts.
pub(super) fn repeated(name: impl Into<String>, effect: &str, outcomes: &[Outcome]) -> Row {
    Row::new(name, effect, Rule::of(outcomes).attempts(ATTEMPTS)).once_is_overcome()
}

/// The same of a failure of the manager or the network, which a wait rides out.
pub(super) fn passing(name: impl Into<String>, effect: &str, outcomes: &[Outcome]) -> Row {
    repeated(name, effect, outcomes).waits_go_on()
}

/// Not repeated: this failure at the first request, also of a wait.
pub(super) fn lasting(name: impl Into<String>, effect: &str, outcomes: &[Outcome]) -> Row {
    Row::new(name, effect, Rule::of(outcomes))
}

/// A refused credential: one new login, and the refusal is confirmed at most once.
pub(super) fn refused(name: impl Into<String>, effect: &str, outcomes: &[Outcome]) -> Row {
    Row::new(name, effect, Rule::of(outcomes).logins(2).attempts(2).more(1))
        .once(Rule::of(&[Right]).logins(2).more(2))
}

/// Without a consequence but these additional requests.
pub(super) fn harmless(name: impl Into<String>, effect: &str, more: u32) -> Row {
    Row::new(name, effect, Rule::of(&[Right]).more(more))
}
