//! Handles the errors of a lookup by their kind. The first argument is the name of an IP pool.
#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use netmgr::lookups::GetIpPool;
use netmgr::{Error, ErrorKind};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let manager = netmgr::Client::from_env()?;
    let name = std::env::args().nth(1).unwrap_or_default();
    let found = manager.run(GetIpPool::named(name)).await;
    manager.close().await;
    match found {
        Ok(pool) => println!("{}", pool.id),
        Err(Error::Ambiguous { found, .. }) => {
            println!("several pools have this name; use the id of one:");
            for candidate in found {
                println!("  {candidate}");
            }
        }
        Err(error) => match error.kind() {
            ErrorKind::NotFound => println!("there is no such pool: {error}"),
            ErrorKind::InvalidInput => println!("correct the input: {error}"),
            ErrorKind::Unauthenticated | ErrorKind::PermissionDenied => println!("check the login: {error}"),
            ErrorKind::Network | ErrorKind::Throttled | ErrorKind::DeadlineExceeded => {
                println!("try again later: {error}");
            }
            _ => return Err(error),
        },
    }
    Ok(())
}
