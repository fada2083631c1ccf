//! The thread that a filter runs in. Its stack has a known size, because filters call themselves and build nested values.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use jaq_core::data::HasLut;
use jaq_core::{Ctx, DataT, Filter, Lut, Vars};
use jaq_json::{Rc, Val};
use serde_json::Value;

use super::{failed, too_deep, too_nested};
use crate::failure::CliError;

/// Maximum use of the stack by the recursion of a filter.
const MOST: usize = 48 << 20;
/// Sizes of the stack, of which the first that the system permits is used. What is not used takes no memory.
///
/// The rest is for nested values, which are dropped, compared and written recursively. A million levels can be dropped.
const STACKS: [usize; 2] = [
    if cfg!(target_pointer_width = "64") {
        1 << 30
    } else {
        256 << 20
    },
    64 << 20,
];
/// Number of results that are computed before they are printed.
const AHEAD: usize = 16;
/// Maximum nesting of a result: that of the JSON that serde_json reads.
pub(super) const DEEPEST_RESULT: usize = 127;

thread_local! {
    /// Address of the stack of this thread where the filter begins.
    static BOTTOM: Cell<usize> = const { Cell::new(0) };
}

/// The types of filters: JSON values, and terms that check the use of the stack.
pub(super) struct Data;

impl DataT for Data {
    type V<'a> = Val;
    type Data<'a> = Bounded<'a>;
}

/// The compiled terms of a filter. Each step of a filter looks up one of them, so that endless recursion is detected here.
#[derive(Clone, Copy)]
pub(super) struct Bounded<'a>(&'a Lut<Data>);

impl<'a> HasLut<'a, Data> for Bounded<'a> {
    fn lut(&self) -> &'a Lut<Data> {
        if BOTTOM.get().abs_diff(stack_address()) > MOST {
            // A panic, because filters can catch all errors of the language.
            resume_unwind(Box::new(TooDeep));
        }
        self.0
    }
}

/// The payload of the panic that ends a filter.
struct TooDeep;

/// Approximate address of the end of the stack.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// A result, or `None` after the last one of an input.
type Message = Option<Result<Value, CliError>>;

/// A thread that runs a filter on one input after another. It ends when this is dropped.
pub(super) struct Worker {
    inputs: Sender<String>,
    results: Receiver<Message>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Worker {
    /// Starts a thread for `filter`.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub(super) fn start(filter: &Arc<Filter<Data>>) -> io::Result<Self> {
        let [large, small] = STACKS.map(|stack| move || Self::start_with(filter, stack));
        large().or_else(|_| small())
    }

    fn start_with(filter: &Arc<Filter<Data>>, stack: usize) -> io::Result<Self> {
        let filter = Arc::clone(filter);
        let (inputs, texts) = channel::<String>();
        let (sender, results) = sync_channel(AHEAD);
        let run = move || {
            BOTTOM.set(stack_address());
            // Both fail when the worker is dropped.
            while let Ok(text) = texts.recv()
                && filtered(&filter, &text, &sender)
            {}
        };
        let thread = thread::Builder::new().name("query".to_owned()).stack_size(stack);
        Ok(Self {
            inputs,
            results,
            thread: Some(thread.spawn(run)?),
        })
    }

    /// Begins to filter the JSON `text`.
    pub(super) fn begin(&self, text: String) {
        // Without a thread, there is no result.
        let _ = self.inputs.send(text);
    }

    /// The next result, or `None` after the last one of the input.
    pub(super) fn next(&mut self) -> Message {
        self.results.recv().unwrap_or_else(|_| {
            if let Some(Err(panic)) = self.thread.take().map(thread::JoinHandle::join) {
                resume_unwind(panic);
            }
            None
        })
    }
}

/// Sends the results for the JSON `text`. Returns whether they are received.
fn filtered(filter: &Filter<Data>, text: &str, sender: &SyncSender<Message>) -> bool {
    let send = |result| sender.send(Some(result)).is_ok();
    match catch_unwind(AssertUnwindSafe(|| each(filter, text, send))) {
        Ok(()) => {}
        Err(panic) if panic.is::<TooDeep>() => {
            let _ = send(Err(too_deep()));
        }
        Err(panic) => resume_unwind(panic),
    }
    sender.send(None).is_ok()
}

/// Passes the results for the JSON `text` to `send` until that returns false.
fn each(filter: &Filter<Data>, text: &str, send: impl Fn(Result<Value, CliError>) -> bool) {
    let input: Val = match serde_json::from_str(text) {
        Ok(input) => input,
        Err(error) => {
            send(Err(failed(error.to_string())));
            return;
        }
    };
    let context = Ctx::<Data>::new(Bounded(&filter.lut), Vars::new([]));
    for result in filter.id.run((context, input)) {
        let result = match result {
            Ok(value) => json(value),
            Err(exception) => match exception.get_err() {
                Ok(error) => Err(failed(error.to_string())),
                // The filter `halt` ends the results, but not the program.
                Err(_) => return,
            },
        };
        if !send(result) {
            return;
        }
    }
}

fn json(value: Val) -> Result<Value, CliError> {
    if is_too_nested(&value) {
        take_apart(value);
        return Err(too_nested());
    }
    serde_json::from_str(&value.to_string()).map_err(|_| failed(format!("the result {value} is not JSON")))
}

/// Whether a result is nested too deeply, found without recursion.
fn is_too_nested(value: &Val) -> bool {
    let mut rest = vec![(value, 0)];
    while let Some((value, outer)) = rest.pop() {
        let depth = outer + 1;
        match value {
            Val::Arr(_) | Val::Obj(_) if depth > DEEPEST_RESULT => return true,
            Val::Arr(items) => rest.extend(items.iter().map(|item| (item, depth))),
            Val::Obj(members) => rest.extend(members.values().map(|member| (member, depth))),
            _ => {}
        }
    }
    false
}

/// Drops a value without recursion.
fn take_apart(value: Val) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        // Values that are used elsewhere stay.
        match value {
            Val::Arr(items) => rest.extend(Rc::try_unwrap(items).unwrap_or_default()),
            Val::Obj(members) => {
                let members = Rc::try_unwrap(members).unwrap_or_default();
                rest.extend(members.into_iter().flat_map(|(key, member)| [key, member]));
            }
            _ => {}
        }
    }
}
