//! The codec of messages: that of tonic-prost, with small initial buffers.
//!
//! The default buffers have 8 KiB in each direction of every call, and hosts can send a thousand calls at once
//! (0105).

use std::marker::PhantomData;

use prost::Message;
use tonic::codec::{BufferSettings, Codec};
use tonic_prost::{ProstCodec, ProstDecoder, ProstEncoder};

/// Initial size of buffers in bytes. Most arguments and results are shorter.
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
        ProstCodec::<T, U>::raw_encoder(BufferSettings::new(BUFFER, BUFFER))
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstCodec::<T, U>::raw_decoder(BufferSettings::new(BUFFER, BUFFER))
    }
}
