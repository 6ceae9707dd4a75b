//! The forms by which an endpoint is created and its secret replaced. Each answers with a page of its
//! own, because the secret is shown once and stands in no address.

use serde::{Deserialize, Serialize};

use super::Moment;

/// Why a URL was refused; [`domain::endpoint_url::InvalidEndpointUrl`] for the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UrlFault {
    /// No absolute URL.
    Malformed,
    /// Longer than 2,048 bytes.
    TooLong,
    /// Neither http nor https.
    Scheme,
    /// With a user name or a password.
    UserInfo,
    /// A port below 1024 that is neither 80 nor 443.
    Port,
    /// An address that events are never sent to.
    Blocked,
}

/// What was typed into the form for a new endpoint, what was wrong with it, or what it made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewEndpointView {
    /// The URL as typed.
    pub url: String,
    /// The types that were ticked.
    pub chosen: Vec<String>,
    /// Those typed beside them.
    pub other: String,
    /// The note.
    pub description: String,
    /// What is wrong with the URL.
    pub url_fault: Option<UrlFault>,
    /// Which of the types is none; empty when none was chosen at all.
    pub type_fault: Option<String>,
    /// Whether the note is too long.
    pub long_description: bool,
    /// The endpoint that was made.
    pub made: Option<Secret>,
}

/// A secret, shown once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secret {
    /// `whe_…`
    pub endpoint_id: String,
    /// Where events are sent.
    pub url: String,
    /// `whsec_…`
    pub secret: String,
    /// Until when the one before it still signs.
    pub previous_until: Option<Moment>,
}

/// The page on which a secret is replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RotateView {
    /// Where events are sent.
    pub url: String,
    /// For how many hours both will sign.
    pub overlap_hours: u32,
    /// The new one, once it is made.
    pub made: Option<Secret>,
}
