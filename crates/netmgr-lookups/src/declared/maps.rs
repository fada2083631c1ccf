//! Declared functions that return a map of all objects of a kind, by display name.

/// Declares functions that return the ids or the paths of all objects of another function's kind, and the list of their
/// entries.
///
/// - `of` is the function that finds one of the objects.
/// - `value` is the member of an object that the map contains: `id` or `path`.
/// - `facts` are methods of [`LookupSpec`](crate::LookupSpec).
macro_rules! maps {
    (
        $(#[$list_doc:meta])*
        $list:ident;
        $(
            $(#[doc = $doc:literal])+
            $name:ident = $function:literal, $noun:literal {
                of: $object:ident,
                value: $value:ident,
                $(facts: $($facts:tt)*)?
            }
        )*
    ) => {
        $(#[$list_doc])*
        pub(super) const $list: &[$crate::registry::Entry] = &[$($crate::registry::Entry::of::<$name>(),)*];
        $(
            $crate::request::request! {
                #[doc = concat!($($doc),+)]
                $name(MapInput) -> netmgr_types::shapes::NameMap
            }

            impl $crate::lookup::Lookup for $name {
                type Output = netmgr_types::shapes::NameMap;
                const SPEC: $crate::spec::LookupSpec = $crate::declared::facts::spec!(
                    new $function, $noun, concat!($($doc),+); $($($facts)*)?
                )
                .answers($crate::spec::ResultKind::Table);

                fn reads() -> Vec<$crate::reads::FunctionRead> {
                    vec![$crate::reads::FunctionRead::of(
                        <$object as $crate::declared::facts::OfKind>::KIND,
                    )]
                }

                fn invocation(
                    self,
                    _: &$crate::read::Scope,
                ) -> Result<$crate::lookup::Invocation<Self::Output>, Vec<netmgr_types::InvalidProperty>> {
                    Ok($crate::lookup::Invocation::own(move |cx| Box::pin(async move {
                        let kind = <$object as $crate::declared::facts::OfKind>::KIND;
                        $crate::name_map::names(cx, kind, $crate::name_map::$value, &self.0).await
                    })))
                }
            }
        )*
    };
}
pub(crate) use maps;
