//! The deprecated 1.0 mode: `?pagination=offset&offset=…&limit=…`, until its sunset.

use std::time::{Duration, UNIX_EPOCH};

use axum::http::{HeaderName, HeaderValue};
use domain::Timestamp;
use domain::filter::FilterReader;
use domain::page::{DEFAULT_LIMIT, PageRequest, PageStart};

use crate::error::ApiError;
use crate::state::ApiConfig;

/// Beyond this a page costs too much, whatever the date.
pub(crate) const MOST: u32 = 10_000;
/// When 1.1.0 deprecated the mode: 2026-05-22.
const DEPRECATED_SINCE: i64 = 1_779_408_000;

/// What a query says about the old mode.
pub(super) struct Asked {
    pagination: Option<String>,
    offset: Option<String>,
    limit: Option<String>,
}

/// A page by offset, before anybody asked whether it is still permitted.
pub(super) enum OldPage {
    /// Not asked for.
    None,
    /// Something of 1.0 that no longer means anything by itself.
    Misunderstood(String),
    /// This page.
    Page(PageRequest),
}

impl Asked {
    pub(super) fn take(params: &mut FilterReader) -> Self {
        let mut take = |name| params.take_even_empty(name);
        Self { pagination: take("pagination"), offset: take("offset"), limit: take("limit") }
    }

    pub(super) fn is_used(&self) -> bool {
        self.pagination.as_deref() == Some("offset")
    }

    /// Reads the page; numbers out of range are noted as refused.
    pub(super) fn read(self, params: &mut FilterReader) -> OldPage {
        match self.pagination.as_deref() {
            Some("offset") => {}
            None | Some("cursor") => {
                let bare = self.offset.map(|_| "offset").or(self.limit.map(|_| "limit"));
                return bare.map_or(OldPage::None, |name| {
                    OldPage::Misunderstood(format!("{name} is understood with pagination=offset only"))
                });
            }
            Some(_) => return OldPage::Misunderstood("pagination must be cursor or offset".to_owned()),
        }
        let limit = self.limit.map_or(Some(DEFAULT_LIMIT), |text| super::bounded(params, "limit", &text));
        let offset = self.offset.map_or(Some(0), |text| {
            let offset = text.parse().ok().filter(|offset| *offset <= MOST);
            if offset.is_none() {
                params.reject("offset", &format_args!("must be a number from 0 to {MOST}"));
            }
            offset
        });
        let page = PageRequest { limit: limit.unwrap_or(1), from: PageStart::Offset(offset.unwrap_or(0)) };
        OldPage::Page(page)
    }
}

impl OldPage {
    /// The page, while the mode lives.
    pub(super) fn permitted(self, config: &ApiConfig, now: Timestamp) -> Result<Option<PageRequest>, ApiError> {
        let migration = migration(config);
        match self {
            Self::None => Ok(None),
            Self::Misunderstood(why) => Err(ApiError::malformed(format!("{why}; see {migration}"))),
            Self::Page(_) if now >= config.offset_sunset => {
                Err(ApiError::malformed(format!("pagination=offset has ended; see {migration}")))
            }
            Self::Page(page) => Ok(Some(page)),
        }
    }
}

fn migration(config: &ApiConfig) -> String {
    format!("{}/migration-1.0-1.1", config.docs_url)
}

/// What every answer in the old mode says: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and the
/// notice that 1.0's callers were promised.
pub(super) fn notice(config: &ApiConfig) -> Vec<(HeaderName, HeaderValue)> {
    let sunset = config.offset_sunset;
    let date = &sunset.to_rfc3339()[..10];
    let moment = UNIX_EPOCH + Duration::from_secs(u64::try_from(sunset.as_secs()).unwrap_or(0));
    let lines = [
        ("x-api-notice", format!("pagination=offset deprecated, migrate by {date}")),
        ("deprecation", format!("@{DEPRECATED_SINCE}")),
        ("sunset", httpdate::fmt_http_date(moment)),
        ("link", format!("<{}>; rel=\"deprecation\"; type=\"text/html\"", migration(config))),
    ];
    let header = |(name, text): (&'static str, String)| {
        HeaderValue::from_str(&text).ok().map(|value| (HeaderName::from_static(name), value))
    };
    lines.into_iter().filter_map(header).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notice_says_until_when() {
        let lines = notice(&ApiConfig::default());
        let texts: Vec<_> = lines.iter().map(|(_, value)| value.to_str().unwrap()).collect();
        assert_eq!(
            texts,
            [
                "pagination=offset deprecated, migrate by 2026-11-01",
                "@1779408000",
                "Sun, 01 Nov 2026 00:00:00 GMT",
                "</docs/migration-1.0-1.1>; rel=\"deprecation\"; type=\"text/html\"",
            ]
        );
    }
}
