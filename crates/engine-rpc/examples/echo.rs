//! A plugin with two functions: `echo:index:echo` answers with its arguments, `echo:index:wait` lasts
//! until it is cancelled and tells the user that it waits.

use std::borrow::Cow;
use std::process::ExitCode;

use engine_rpc::{Context, Error, InvokeRequest, Provider};
use engine_values::Object;

struct Echo;

impl Provider for Echo {
    fn version(&self) -> &str {
        "1.2.3"
    }

    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        Ok(r#"{"name":"echo","functions":{"echo:index:echo":{},"echo:index:wait":{}}}"#.into())
    }

    async fn invoke(&self, cx: &Context, request: InvokeRequest) -> Result<Object, Error> {
        match request.token.as_str() {
            "echo:index:echo" => Ok(request.arguments),
            "echo:index:wait" => {
                cx.log().progress("waiting").await;
                cx.cancellation().cancelled().await;
                Err(Error::Cancelled)
            }
            other => Err(Error::Failed(format!("no function {other}"))),
        }
    }
}

fn main() -> ExitCode {
    match engine_rpc::run(Echo, engine_rpc::engine_address(std::env::args().skip(1))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[allow(clippy::print_stderr, reason = "nothing else can be told when serving failed")]
            {
                eprintln!("{error}");
            }
            ExitCode::FAILURE
        }
    }
}
