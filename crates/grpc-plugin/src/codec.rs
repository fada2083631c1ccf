//! The codec of messages: that of tonic-prost, with small initial buffers.
//!
//! The default buffers have 8 KiB in each direction of every call. Hosts send all calls of a program at
//! once, so that a thousand calls required 8 MiB to decode arguments of a few hundred bytes.

use std::marker::PhantomData;

use prost::Message;
use tonic::codec::{BufferSettings, Codec};
use tonic_prost::{ProstDecoder, ProstEncoder};

/// Initial size of buffers in bytes. Most arguments and results are shorter.
const BUFFER: usize = 256;

/// Encodes messages of type `T` and decodes messages of type `U`.
#[derive(Debug)]
pub struct Protobuf<T, U>(PhantomData<(T, U)>);

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

/// The second setting is for streams of messages, which are not used.
fn buffers() -> BufferSettings {
    BufferSettings::new(BUFFER, BUFFER)
}
