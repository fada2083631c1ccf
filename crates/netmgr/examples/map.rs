//! Prints the id of each group by its name.
#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use netmgr::lookups::GetNsGroups;

#[tokio::main]
async fn main() -> Result<(), netmgr::Error> {
    let manager = netmgr::Client::from_env()?;
    let groups = manager.run(GetNsGroups::new()).await;
    manager.close().await;
    for (name, id) in &groups?.items {
        println!("{name}: {id}");
    }
    Ok(())
}
