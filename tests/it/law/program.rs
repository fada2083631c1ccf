//! The program that a seed stands for: lookups, faults and clock steps, and the inventory that the lookups concern.
//!
//! Objects of all types, projects and parents have the same ids and names, so that an answer from a wrong place is a
//! wrong answer. Their descriptions say where they are.

use std::fmt;

use fastrand::Rng;
use netmgr_sim::{Inventory, Script, ScriptStart};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::faults::{self, Fault};
use super::world::{LONGEST, STAMP};

/// A type of objects, with its functions.
#[derive(Debug, Clone, Copy)]
struct Kind {
    /// Finds one object.
    one: &'static str,
    /// Lists the objects.
    all: Option<&'static str>,
    /// The collection below each of the places.
    collection: &'static str,
    places: &'static [Place],
}

/// The place of the objects of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Root(&'static str),
    Project(&'static str),
    Segment(&'static str),
}

const MANAGER: &[Place] = &[Place::Root("/api/v1")];
const POLICY: &[Place] = &[Place::Root("/infra"), Place::Project("a"), Place::Project("b")];
const SEGMENTS: &[Place] = &[Place::Segment("s0"), Place::Segment("s1")];

const KINDS: &[Kind] = &[
    Kind::new("getIpPool", None, "pools/ip-pools", MANAGER),
    Kind::new("getMacPool", None, "pools/mac-pools", MANAGER),
    Kind::new("getNsGroup", Some("getNsGroups"), "ns-groups", MANAGER),
    Kind::new("getNsService", Some("getNsServices"), "ns-services", MANAGER),
    Kind::new("getPolicyDhcpServer", None, "dhcp-server-configs", POLICY),
    Kind::new("getPolicyCertificate", None, "certificates", POLICY),
    Kind::new("getPolicyContextProfile", None, "context-profiles", POLICY),
    Kind::new(
        "getPolicyGroup",
        Some("getPolicyGroups"),
        "domains/default/groups",
        POLICY,
    ),
    Kind::new(
        "getPolicySegmentPort",
        Some("getPolicySegmentPorts"),
        "ports",
        SEGMENTS,
    ),
];

/// Objects of each collection with the id as their name.
const OBJECTS: usize = 10;

/// Compute managers, with the time at which each reaches its final state.
const MANAGERS: &[(&str, &str, u64)] = &[
    ("cm0", "success", 0),
    ("cm1", "success", 9000),
    ("cm2", "failed", 5000),
];

impl Kind {
    const fn new(
        one: &'static str,
        all: Option<&'static str>,
        collection: &'static str,
        places: &'static [Place],
    ) -> Self {
        Self {
            one,
            all,
            collection,
            places,
        }
    }
}

impl Place {
    fn path(self) -> String {
        match self {
            Self::Root(path) => path.to_owned(),
            Self::Project(id) => format!("/orgs/default/projects/{id}/infra"),
            Self::Segment(id) => format!("/infra/segments/{id}"),
        }
    }

    /// The inputs that select it.
    fn input(self) -> Value {
        match self {
            Self::Root(_) => json!({}),
            Self::Project(id) => json!({"context": {"projectId": id}}),
            Self::Segment(_) => json!({"segmentPath": self.path()}),
        }
    }
}

/// The objects that all programs concern.
pub(super) fn inventory() -> Inventory {
    let mut inventory = Inventory::empty();
    for project in ["a", "b"] {
        inventory = inventory.with(
            "/orgs/default/projects",
            json!({"id": project, "display_name": project}),
        );
    }
    for segment in ["s0", "s1"] {
        inventory = inventory.with("/infra/segments", json!({"id": segment, "display_name": segment}));
    }
    for kind in KINDS {
        for place in kind.places {
            let collection = format!("{}/{}", place.path(), kind.collection);
            let mut add = |id: &str, name: &str| {
                let description = format!("{}{id} at {STAMP}", mark(&collection));
                let body = json!({"id": id, "display_name": name, "description": description});
                inventory.add(&collection, body).unwrap();
            };
            (0..OBJECTS).for_each(|number| add(&object(number), &object(number)));
            add("twin1", "twin");
            add("twin2", "twin");
            add("only-one", "only-one");
            add(&mark(&collection), "of-list");
            add(&format!("clock-{STAMP}"), "clock");
        }
    }
    for (id, state, at) in MANAGERS {
        let script = Script::new(json!({"state": "in_progress"}))
            .then_after(std::time::Duration::from_millis(*at), json!({"state": state}))
            .starting_at(ScriptStart::Creation);
        inventory = inventory
            .with(
                "/api/v1/fabric/compute-managers",
                json!({"id": id, "display_name": id}),
            )
            .with_script(&format!("/api/v1/fabric/compute-managers/{id}/state"), script);
    }
    inventory
}

fn object(number: usize) -> String {
    format!("n{number:02}")
}

/// Every mark begins with this, and nothing else contains it.
pub(super) const MARK: &str = "zz.";

/// A text that all answers from a collection contain.
fn mark(collection: &str) -> String {
    format!("{MARK}{}.", &collection[1..].replace('/', "."))
}

/// A lookup of a program. Times are milliseconds since the start of the program.
#[derive(Debug, Clone)]
pub(super) struct Planned {
    pub(super) function: &'static str,
    pub(super) input: Value,
    /// What its answer contains, and no other mark.
    pub(super) mark: String,
    /// Whether it finds one object.
    pub(super) finds: bool,
    /// The argument that is secret.
    pub(super) secret: Option<String>,
    pub(super) start: u64,
    pub(super) deadline: u64,
    /// How long it waits before its first request.
    pub(super) delay: u64,
    pub(super) giving_up: Option<(GivingUp, u64)>,
    /// Whether it runs in the second runtime.
    pub(super) is_aside: bool,
}

/// How a lookup is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GivingUp {
    Cancelled,
    Dropped,
}

/// The second runtime of a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aside {
    /// When it is no longer driven.
    pub(super) until: u64,
    /// Whether it is kept, and not dropped.
    pub(super) is_kept: bool,
}

/// What a seed stands for.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) seed: u64,
    pub(super) lookups: Vec<Planned>,
    pub(super) faults: Vec<Fault>,
    /// Whether clients log in before their lookups, and no login fails.
    pub(super) has_sessions: bool,
    /// When the manager forgets all sessions.
    pub(super) node_switches: Vec<u64>,
    /// When the clock jumps, and how far.
    pub(super) steps: Vec<(u64, u64)>,
    pub(super) aside: Option<Aside>,
    /// Largest page of a list or search.
    pub(super) page_size: Option<usize>,
    pub(super) max_retries: u32,
    pub(super) has_session: bool,
    /// Whether rejected logins are recorded in a folder.
    pub(super) has_folder: bool,
    /// Lookups that run at once.
    pub(super) parallel: usize,
}

impl Program {
    pub(super) fn of(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let rng = &mut rng;
        let bursts: Vec<u64> = (0..rng.usize(1..4)).map(|_| rng.u64(0..25_000)).collect();
        let kinds: Vec<Kind> = (0..rng.usize(1..4)).map(|_| pick(rng, KINDS)).collect();
        let aside = (rng.u8(0..8) == 0).then(|| Aside {
            until: pick(rng, &bursts) + pick(rng, &[30, 70, 400, 1300]),
            is_kept: rng.bool(),
        });
        let count = match rng.u8(0..20) {
            0 => rng.usize(50..150),
            1..5 => rng.usize(12..40),
            _ => rng.usize(2..12),
        };
        let lookups = (0..count)
            .map(|number| planned(rng, number, &kinds, &bursts, aside.is_some()))
            .collect();
        let faults = (0..pick(rng, &[0, 1, 1, 1, 2, 2, 3]))
            .map(|_| faults::draw(rng, &bursts))
            .collect();
        let near = |rng: &mut Rng| pick(rng, &bursts) + rng.u64(0..3000);
        Self {
            seed,
            lookups,
            faults,
            has_sessions: false,
            node_switches: (0..pick(rng, &[0, 0, 0, 1])).map(|_| near(rng)).collect(),
            steps: match aside {
                None => (0..pick(rng, &[0, 0, 0, 1]))
                    .map(|_| (near(rng), rng.u64(1..20_000)))
                    .collect(),
                // Two clocks cannot jump together.
                Some(_) => Vec::new(),
            },
            aside,
            page_size: pick(rng, &[None, None, Some(4), Some(9)]),
            max_retries: pick(rng, &[0, 2, 4]),
            has_session: rng.u8(0..5) != 0,
            has_folder: rng.u8(0..10) == 0,
            parallel: count,
        }
    }
}

impl Program {
    /// Many lookups of objects of all types, and nothing that goes wrong.
    pub(super) fn of_many(count: usize, parallel: usize) -> Self {
        let mut rng = Rng::with_seed(0);
        let draw = |number| Planned {
            deadline: LONGEST,
            ..planned(&mut rng, number, KINDS, &[0], false).at(0)
        };
        let lookups = (0..)
            .map(draw)
            .filter(|planned| planned.finds)
            .take(count)
            .collect();
        Self {
            seed: 0,
            lookups,
            faults: Vec::new(),
            has_sessions: false,
            node_switches: Vec::new(),
            steps: Vec::new(),
            aside: None,
            page_size: None,
            max_retries: 4,
            has_session: true,
            has_folder: false,
            parallel,
        }
    }

    /// The program of lookups of this one, each at a moment, without a second runtime.
    pub(super) fn of_lookups(&self, moments: impl Iterator<Item = (usize, u64)>) -> Self {
        Self {
            lookups: moments.map(|(number, at)| self.lookups[number].at(at)).collect(),
            parallel: Semaphore::MAX_PERMITS,
            aside: None,
            ..self.clone()
        }
    }

    /// Whether a runtime rests.
    pub(super) fn has_rest(&self) -> bool {
        self.aside.is_some_and(|aside| aside.is_kept)
    }

    /// The time by which the clock jumps while a lookup runs.
    pub(super) fn jumped(&self, began: u64, ended: u64) -> u64 {
        let during = self.steps.iter().filter(|(at, _)| (began..ended).contains(at));
        during.map(|(_, time)| time).sum()
    }

    /// The jump of the clock that contains a moment, if one does.
    pub(super) fn jump(&self, at: u64) -> Option<(u64, u64)> {
        let jumps = self.steps.iter().map(|(from, time)| (*from, from + time));
        jumps
            .into_iter()
            .find(|(from, until)| (*from..=*until).contains(&at))
    }
}

fn planned(rng: &mut Rng, number: usize, kinds: &[Kind], bursts: &[u64], has_aside: bool) -> Planned {
    let start = pick(rng, bursts) + pick(rng, &[0, 0, 0, 1, 10, 60, 400, 1100]);
    let deadline = pick(rng, &[1000, 4000, 15_000, 50_000, LONGEST, LONGEST, LONGEST]);
    let giving_up = (rng.u8(0..8) == 0).then(|| {
        let how = pick(rng, &[GivingUp::Cancelled, GivingUp::Dropped]);
        (how, start + pick(rng, &[0, 1, 20, 55, 110, 160, 700, 5000]))
    });
    let is_aside = has_aside && rng.bool();
    let planned = |function, input, mark| Planned {
        function,
        input,
        mark,
        finds: false,
        secret: None,
        start,
        deadline,
        delay: 0,
        giving_up,
        is_aside,
    };
    if rng.u8(0..12) == 0 {
        let (id, ..) = pick(rng, MANAGERS);
        let (delay, timeout) = (pick(rng, &[0, 1, 3]), deadline / 1000);
        let input = json!({"id": id, "delay": delay, "timeout": timeout, "checkRegistration": false});
        return Planned {
            delay: delay * 1000,
            ..planned("getComputeManagerRealization", input, String::new())
        };
    }
    let kind = pick(rng, kinds);
    let place = pick(rng, kind.places);
    let collection = format!("{}/{}", place.path(), kind.collection);
    let mut input = place.input();
    let secret = (rng.u8(0..6) == 0).then(|| format!("s3cret{number}x"));
    let named = object(rng.usize(0..OBJECTS));
    let (key, text, id) = match rng.u8(0..12) {
        0 if kind.all.is_some() => {
            return planned(kind.all.unwrap(), input, mark(&collection));
        }
        0..4 => ("id", named.clone(), named),
        4 => ("displayName", "twin".to_owned(), "twin".to_owned()),
        5 => ("displayName", "only".to_owned(), "only-one".to_owned()),
        6 => ("id", "missing".to_owned(), "missing".to_owned()),
        7 => ("displayName", "missing".to_owned(), "missing".to_owned()),
        _ => ("displayName", named.clone(), named),
    };
    input[key] = json!(secret.as_ref().unwrap_or(&text));
    Planned {
        finds: secret.is_none() && !["missing", "twin"].contains(&id.as_str()),
        secret,
        ..planned(kind.one, input, mark(&collection) + &id)
    }
}

impl Planned {
    /// The same lookup at another moment, until the same deadline, if it is not given up.
    pub(super) fn at(&self, start: u64) -> Self {
        Self {
            start,
            deadline: self.start + self.deadline - start,
            giving_up: None,
            is_aside: false,
            ..self.clone()
        }
    }
}

/// One of `options`.
pub(super) fn pick<T: Copy>(rng: &mut Rng, options: &[T]) -> T {
    options[rng.usize(0..options.len())]
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lookups, faults, .. } = self;
        let settings = Self {
            lookups: Vec::new(),
            faults: Vec::new(),
            ..self.clone()
        };
        writeln!(f, "  {settings:?}")?;
        for fault in faults {
            writeln!(f, "  {fault:?}")?;
        }
        for (number, lookup) in lookups.iter().enumerate() {
            writeln!(f, "  {number}: {lookup}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            function,
            input,
            start,
            deadline,
            ..
        } = self;
        write!(f, "at {start}: {function} {input} within {deadline}")?;
        if self.secret.is_some() {
            f.write_str(", secret")?;
        }
        if self.is_aside {
            f.write_str(", aside")?;
        }
        match self.giving_up {
            Some((how, at)) => write!(f, ", {how:?} at {at}"),
            None => Ok(()),
        }
    }
}
