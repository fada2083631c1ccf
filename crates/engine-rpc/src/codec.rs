//! How messages become bytes and back: the codec of tonic-prost, with buffers that begin small.
//!
//! Its own begin every call with 8 KiB in each direction. The engine sends a program's calls all at
//! once, so a thousand of them took 8 MiB to read arguments of some hundred bytes (0105).

use std::marker::PhantomData;

use prost::Message;
use tonic::codec::{BufferSettings, Codec};
use tonic_prost::{ProstDecoder, ProstEncoder};

/// What a buffer begins with, in bytes. Most arguments and results are shorter.
const BUFFER: usize = 256;

/// Sends `T` and receives `U`.
#[derive(Debug)]
pub(crate) struct Protobuf<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for Protobuf<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> Codec for Protobuf<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = ProstEncoder<T>;
    type Decoder = ProstDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        ProstEncoder::new(buffers())
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstDecoder::new(buffers())
    }
}

/// The second setting is for streams of messages, which there are none of.
fn buffers() -> BufferSettings {
    BufferSettings::new(BUFFER, BUFFER)
}
