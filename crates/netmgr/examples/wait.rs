//! Waits until a compute manager is realized and registered, and prints each poll. The first argument is its display
//! name. Ctrl-C ends the wait.
#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use std::time::Duration;

use netmgr::lookups::{GetComputeManager, GetComputeManagerRealization};

#[tokio::main]
async fn main() -> Result<(), netmgr::Error> {
    let manager = netmgr::Client::from_env()?;
    let state = wait(&manager).await;
    manager.close().await;
    println!("{}", state?);
    Ok(())
}

async fn wait(manager: &netmgr::Client) -> Result<String, netmgr::Error> {
    // Without a name: the only compute manager.
    let lookup = match std::env::args().nth(1) {
        Some(name) => GetComputeManager::named(name),
        None => GetComputeManager::default(),
    };
    let found = manager.run(lookup).await?;
    let realization = manager
        .run(GetComputeManagerRealization::of(found.id).timeout(Duration::from_secs(600)))
        .on_progress(|progress| println!("{progress}"))
        .cancel_when(async {
            let _ = tokio::signal::ctrl_c().await;
        })
        .await?;
    Ok(realization.state)
}
