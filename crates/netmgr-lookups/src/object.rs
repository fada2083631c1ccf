//! Objects whose type only their lookup knows, so that what reads and chooses them is compiled once for all types
//! (0298).

use std::any::Any;

use netmgr_transport::{Error as RequestError, Reply, Row};
use netmgr_types::wire::ManagedObject;
use serde::de::DeserializeOwned;

/// A type of objects of the manager.
pub trait WireObject: DeserializeOwned + ManagedObject + Send + Sync + 'static {}

impl<T: DeserializeOwned + ManagedObject + Send + Sync + 'static> WireObject for T {}

/// An object of any type.
pub(crate) struct AnyObject(Box<dyn Typed>);

/// What a type of objects has to be for [`AnyObject`].
trait Typed: ManagedObject + Any + Send {}

impl<T: ManagedObject + Any + Send> Typed for T {}

impl AnyObject {
    pub(crate) fn new<T: WireObject>(object: T) -> Self {
        Self(Box::new(object))
    }

    /// The object, if it is of this type.
    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        let object: &dyn Any = &*self.0;
        object.downcast_ref()
    }

    /// The object, if it is of this type.
    pub(crate) fn into<T: 'static>(self) -> Option<T> {
        let object: Box<dyn Any> = self.0;
        object.downcast().ok().map(|object| *object)
    }
}

impl ManagedObject for AnyObject {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn display_name(&self) -> Option<&str> {
        self.0.display_name()
    }

    fn description(&self) -> Option<&str> {
        self.0.description()
    }

    fn resource_type(&self) -> Option<&str> {
        self.0.resource_type()
    }

    fn path(&self) -> Option<&str> {
        self.0.path()
    }

    fn marked_for_delete(&self) -> bool {
        self.0.marked_for_delete()
    }

    fn name(&self) -> &str {
        self.0.name()
    }
}

/// Decodes objects of one type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decoder {
    pub(crate) row: fn(&Row) -> Result<AnyObject, serde_json::Error>,
    pub(crate) reply: fn(&Reply) -> Result<AnyObject, RequestError>,
}

impl Decoder {
    /// The decoder of objects of type `T`.
    pub(crate) const fn of<T: WireObject>() -> Self {
        Self {
            row: |row| row.decode::<T>().map(AnyObject::new),
            reply: |reply| reply.json::<T>().map(AnyObject::new),
        }
    }
}
