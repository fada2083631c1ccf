//! The steps of continuous integration, as one table.
//!
//! Lives here: the steps, their order, their times. Not here: what a step checks.

use std::process::Command;
use std::time::Duration;

use crate::Error;
use crate::workspace::root;

/// One step: a name and the cargo command behind it.
struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

/// A step without environment.
const fn step(name: &'static str, arguments: &'static [&'static str]) -> Step {
    Step {
        name,
        arguments,
        environment: &[],
    }
}

/// Cheapest first, except that documentation follows the tests because it explains less.
const STEPS: &[Step] = &[
    step("fmt", &["fmt", "--all", "--check"]),
    step(
        "clippy",
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
    ),
    // README's command. Tests of this crate compare the generated files and check the conventions.
    step("test", &["test", "--workspace"]),
    // Fails without the engine, which the step before only uses if it is there.
    Step {
        environment: &[("NETMGR_ENGINE_TESTS", "required")],
        ..step(
            "engine",
            &[
                "test",
                "--workspace",
                "--test",
                "it",
                "--",
                "engine::",
                "released::",
            ],
        )
    },
    // With examples, because their dependencies have the features that clippy has checked them with.
    Step {
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
        ..step(
            "doc",
            &[
                "doc",
                "--workspace",
                "--no-deps",
                "--lib",
                "--bins",
                "--examples",
                "--locked",
            ],
        )
    },
    step(
        "features",
        &[
            "check",
            "--package",
            "netmgr",
            "--no-default-features",
            "--tests",
            "--locked",
        ],
    ),
    // In a command of its own, because the command line needs features of the transport.
    step(
        "features of the command line",
        &[
            "check",
            "--package",
            "netmgr-cli",
            "--no-default-features",
            "--tests",
            "--locked",
        ],
    ),
    // Without `--no-verify`, it also builds each package from what it contains, which takes ten minutes.
    step("package", &["package-published", "--no-verify", "--quiet"]),
    step("deny", &["deny", "check", "licenses", "bans", "sources"]),
];

/// Names of the steps, in their order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    STEPS.iter().map(|step| step.name)
}

/// Runs the steps of `wanted` (all when empty) without the steps of `skipped`, and stops at the first failure.
pub(crate) fn run(wanted: &[String], skipped: &[String]) -> Result<(), Error> {
    let clock = Clock::start();
    let contains = |names: &[String], step: &Step| names.iter().any(|name| name == step.name);
    for step in STEPS {
        if (wanted.is_empty() || contains(wanted, step)) && !contains(skipped, step) {
            step.run()?;
        }
    }
    println!("== done in {:.1} s", clock.elapsed().as_secs_f64());
    Ok(())
}

impl Step {
    fn run(&self) -> Result<(), Error> {
        println!("== {}: {}", self.name, self.line());
        let clock = Clock::start();
        let status = self.command(self.arguments).status()?;
        let seconds = clock.elapsed().as_secs_f64();
        if status.success() {
            println!("== {} passed in {seconds:.1} s", self.name);
            return Ok(());
        }
        Err(format!(
            "step {} failed after {seconds:.1} s; run it again with\n    {}",
            self.name,
            self.line()
        )
        .into())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command
            .args(arguments)
            .envs(self.environment.iter().copied())
            .current_dir(root());
        command
    }

    /// The command as a person types it.
    fn line(&self) -> String {
        let variables = self
            .environment
            .iter()
            .map(|(name, value)| format!("{name}=\"{value}\" "));
        let cargo = ["cargo".to_owned()];
        variables.chain(cargo).collect::<String>() + " " + &self.arguments.join(" ")
    }
}

/// Real time, for the times printed with the steps.
struct Clock(std::time::Instant);

impl Clock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the time of a child process; no clock to pause"
    )]
    fn start() -> Self {
        Self(std::time::Instant::now())
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_run_again_with_its_environment() {
        let doc = STEPS.iter().find(|step| step.name == "doc").unwrap();
        assert_eq!(
            doc.line(),
            "RUSTDOCFLAGS=\"-D warnings\" cargo doc --workspace --no-deps --lib --bins --examples --locked"
        );
    }

    #[test]
    fn names_of_steps_are_unique() {
        let mut all: Vec<_> = names().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), STEPS.len());
    }
}
