//! A plugin with two functions: `echo:index:echo` returns its arguments, and `echo:index:wait` waits until it
//! is cancelled and reports progress.

use std::borrow::Cow;
use std::process::ExitCode;

use pulumi_plugin::rpc::{About, Context, Error, InvokeRequest, Provider};
use pulumi_plugin::values::Object;

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
    let about = About {
        program: "echo",
        version: "1.2.3",
        purpose: "Returns its arguments.",
    };
    pulumi_plugin::rpc::main(about, Echo)
}
