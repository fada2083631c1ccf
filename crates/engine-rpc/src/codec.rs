//! How messages become bytes and back: protobuf, in buffers as large as the message.
//!
//! The codec of tonic-prost begins every call with a buffer of 8 KiB. The engine sends a program's
//! calls all at once, so a thousand of them took 8 MiB to read arguments of some hundred bytes (0105).

use std::marker::PhantomData;

use prost::Message;
use tonic::Status;
use tonic::codec::{BufferSettings, Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// What a buffer begins with. Most arguments and results are shorter.
const BUFFER: usize = 256;

/// Sends `T` and receives `U`.
#[derive(Debug)]
pub(crate) struct Protobuf<T, U>(PhantomData<(T, U)>);

/// One direction of it.
#[derive(Debug)]
pub(crate) struct Direction<M>(PhantomData<M>);

impl<T, U> Default for Protobuf<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> Codec for Protobuf<T, U>
where
    T: Message + 'static,
    U: Message + Default + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = Direction<T>;
    type Decoder = Direction<U>;

    fn encoder(&mut self) -> Self::Encoder {
        Direction(PhantomData)
    }

    fn decoder(&mut self) -> Self::Decoder {
        Direction(PhantomData)
    }
}

impl<T: Message> Encoder for Direction<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, message: T, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        // At once, not by doubling: results may have many megabytes.
        buffer.reserve(message.encoded_len());
        message
            .encode(buffer)
            .map_err(|error| Status::internal(error.to_string()))
    }

    fn buffer_settings(&self) -> BufferSettings {
        buffers()
    }
}

impl<U: Message + Default> Decoder for Direction<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        let message = U::decode(buffer);
        message
            .map(Some)
            .map_err(|error| Status::internal(error.to_string()))
    }

    fn buffer_settings(&self) -> BufferSettings {
        buffers()
    }
}

/// The second setting is for streams of messages, which there are none of.
fn buffers() -> BufferSettings {
    BufferSettings::new(BUFFER, BUFFER)
}
