//! Stacks of the real engine in temporary folders.

mod cloud;
mod journal;
mod stack;
mod toolbox;

pub(crate) use cloud::{Cloud, PLAYED, stand_ins};
pub(crate) use journal::{Journal, State};
pub(crate) use stack::{Outcome, Stack};
pub(crate) use toolbox::{
    ALIASES_OF_COMPONENTS, CANCEL_AT_THE_END, DO, IMPORTS_IN_TRANSFORMS, NAMES_IN_CONFIGURE,
    PACKAGES_IN_PROJECTS, PREVIEWS_OF_CALLS, SCHEMA_CHECK_OF_PLUGINS, TRACES, Tools,
};

pub(crate) use pulumi_testing::until;

use netmgr_sim::{ServerCertificate, Simulator, SimulatorBuilder};

/// The tools, or an early end of the test `name` with the reason.
macro_rules! tools {
    ($name:literal) => {
        match $crate::engine::support::Tools::find($name) {
            Some(tools) => tools,
            None => return,
        }
    };
}
pub(crate) use tools;

/// A manager over TLS, and the settings that connect to it.
pub(crate) async fn manager() -> Simulator {
    serve(Simulator::builder()).await
}

/// Like [`manager`], with changes.
pub(crate) async fn serve(builder: SimulatorBuilder) -> Simulator {
    builder.tls(ServerCertificate::Valid).start().await.unwrap()
}
