//! Parameters of statements with their types, and the types of rows.
//!
//! Types are sent with the statement, so that nothing has to be prepared first: prepared statements do not survive a
//! pooler in transaction mode.

pub use tokio_postgres::Row as PgRow;
pub use tokio_postgres::types::FromSql as PgColumn;
use tokio_postgres::types::{ToSql, Type};

/// A parameter and its type.
pub type TypedParameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// A Rust type and the PostgreSQL type it is sent as.
pub trait Typed: ToSql + Sync {
    const TYPE: Type;
}

macro_rules! typed {
    ($($rust:ty => $postgres:ident),* $(,)?) => {
        $(impl Typed for $rust {
            const TYPE: Type = Type::$postgres;
        })*
    };
}

typed! {
    i16 => INT2,
    i64 => INT8,
    String => TEXT,
    &str => TEXT,
    &[u8] => BYTEA,
    Vec<u8> => BYTEA,
    Vec<i16> => INT2_ARRAY,
    Vec<i64> => INT8_ARRAY,
}

impl<T: Typed> Typed for Option<T> {
    const TYPE: Type = T::TYPE;
}

impl<T: Typed> Typed for &T {
    const TYPE: Type = T::TYPE;
}

/// Returns a parameter with the type of its Rust type.
pub fn typed<T: Typed>(value: &T) -> TypedParameter<'_> {
    (value, T::TYPE)
}

/// The parameters of a statement.
macro_rules! parameters {
    ($($value:expr),* $(,)?) => {
        &[$($crate::service::store::postgres::parameters::typed(&$value)),*]
    };
}

pub(super) use parameters;
