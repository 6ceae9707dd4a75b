//! What a page can be told instead of its data. Nothing of the inside: the log has that, under the
//! request id.

use serde::{Deserialize, Serialize};

use crate::i18n::Locale;

/// Why there is no data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UiError {
    /// Nobody is signed in.
    NotSignedIn,
    /// The role does not allow it.
    Forbidden,
    /// There is no such thing in this project, or no such project for this person.
    NotFound,
    /// These query parameters were refused.
    Filter(Vec<String>),
    /// The page's cursor was refused.
    Cursor,
    /// The endpoint has been deleted: there is nowhere to send to.
    EndpointDeleted,
    /// The dead letter has left the inbox already.
    Resolved,
    /// Nothing has been sent yet, so there is nothing to copy.
    NothingSent,
    /// What was sent is past its retention.
    AttemptsExpired,
    /// The project would have no owner.
    LastOwner,
    /// Nobody has that e-mail address.
    NoSuchPerson,
    /// That person is in the project already.
    MemberAlready,
    /// A name is empty, too long, or holds what is no text.
    Name,
    /// The database is not answering.
    Unavailable,
    /// A fault of ours, logged under this request id.
    Internal(String),
}

impl UiError {
    /// The HTTP status of an answer that says this.
    pub const fn status(&self) -> u16 {
        match self {
            Self::NotSignedIn => 401,
            Self::Forbidden => 403,
            Self::NotFound | Self::NoSuchPerson => 404,
            Self::Filter(_) | Self::Cursor => 400,
            Self::EndpointDeleted
            | Self::Resolved
            | Self::NothingSent
            | Self::AttemptsExpired
            | Self::LastOwner
            | Self::MemberAlready => 409,
            Self::Name => 422,
            Self::Unavailable => 503,
            Self::Internal(_) => 500,
        }
    }

    /// What happened and what to do.
    pub fn message(&self, locale: Locale) -> String {
        match self {
            Self::NotSignedIn => locale.error_not_signed_in().to_owned(),
            Self::Forbidden => locale.error_forbidden().to_owned(),
            Self::NotFound => locale.error_not_found().to_owned(),
            Self::Filter(names) => format!("{} ({})", locale.error_filter(), names.join(", ")),
            Self::Cursor => locale.error_cursor().to_owned(),
            Self::EndpointDeleted => locale.error_endpoint_deleted().to_owned(),
            Self::Resolved => locale.error_resolved().to_owned(),
            Self::NothingSent => locale.error_nothing_sent().to_owned(),
            Self::AttemptsExpired => locale.error_attempts_expired().to_owned(),
            Self::LastOwner => locale.error_last_owner().to_owned(),
            Self::NoSuchPerson => locale.error_no_such_person().to_owned(),
            Self::MemberAlready => locale.error_member_already().to_owned(),
            Self::Name => locale.error_name().to_owned(),
            Self::Unavailable => locale.error_unavailable().to_owned(),
            Self::Internal(id) if id.is_empty() => locale.error_internal().to_owned(),
            Self::Internal(id) => format!("{} {}", locale.error_internal(), locale.quote_id(id)),
        }
    }

    /// The word that stands for this in a redirect after a form.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::NotSignedIn => "not_signed_in",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::Filter(_) => "filter",
            Self::Cursor => "cursor",
            Self::EndpointDeleted => "endpoint_deleted",
            Self::Resolved => "resolved",
            Self::NothingSent => "nothing_sent",
            Self::AttemptsExpired => "attempts_expired",
            Self::LastOwner => "last_owner",
            Self::NoSuchPerson => "no_such_person",
            Self::MemberAlready => "member_already",
            Self::Name => "name",
            Self::Unavailable => "unavailable",
            Self::Internal(_) => "internal",
        }
    }

    /// Of such a word.
    pub fn from_word(word: &str) -> Self {
        match word {
            "not_signed_in" => Self::NotSignedIn,
            "forbidden" => Self::Forbidden,
            "not_found" => Self::NotFound,
            "endpoint_deleted" => Self::EndpointDeleted,
            "resolved" => Self::Resolved,
            "nothing_sent" => Self::NothingSent,
            "attempts_expired" => Self::AttemptsExpired,
            "last_owner" => Self::LastOwner,
            "no_such_person" => Self::NoSuchPerson,
            "member_already" => Self::MemberAlready,
            "name" => Self::Name,
            "unavailable" => Self::Unavailable,
            _ => Self::Internal(String::new()),
        }
    }
}
