//! Reading the texts: each kind of value with the sentence that says what is accepted.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use domain::duration::parse_duration;
use ipnet::IpNet;
use url::Url;

use super::ConfigError;
use super::layers::Layers;

/// Variables whose value is never repeated, not even in an error.
const SECRET: &[&str] = &["BOTIX_SECRET_KEY", "BOTIX_SECRET_KEY_PREVIOUS", "DATABASE_URL", "BOTIX_REDIS_URL"];

/// The error that names the variable, the value and what is accepted.
pub(crate) fn wrong(variable: &str, value: &str, accepted: impl Into<String>) -> ConfigError {
    let value = (!SECRET.contains(&variable)).then(|| value.to_owned());
    ConfigError { variable: variable.to_owned(), value, accepted: accepted.into() }
}

impl Layers {
    /// A value with a default.
    pub(crate) fn required<T>(
        &self,
        variable: &'static str,
        accepted: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ConfigError> {
        let text = self.text(variable).unwrap_or_default().trim();
        parse(text).ok_or_else(|| wrong(variable, text, accepted))
    }

    /// A value that may be missing.
    pub(crate) fn optional<T>(
        &self,
        variable: &'static str,
        accepted: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        let Some(text) = self.text(variable).map(str::trim) else { return Ok(None) };
        parse(text).map(Some).ok_or_else(|| wrong(variable, text, accepted))
    }

    /// A duration that may be missing.
    pub(crate) fn optional_duration(
        &self,
        variable: &'static str,
        least: Duration,
    ) -> Result<Option<Duration>, ConfigError> {
        if self.text(variable).unwrap_or_default().trim().is_empty() {
            return Ok(None);
        }
        self.duration(variable, least).map(Some)
    }

    /// A duration; `least` is the shortest that makes sense.
    pub(crate) fn duration(&self, variable: &'static str, least: Duration) -> Result<Duration, ConfigError> {
        let text = self.text(variable).unwrap_or_default().trim();
        let duration = parse_duration(text).map_err(|error| wrong(variable, text, error.to_string()))?;
        if duration < least {
            let least = domain::duration::format_duration(least);
            return Err(wrong(variable, text, format!("must be {least} or more")));
        }
        Ok(duration)
    }

    /// A list of networks; may be empty.
    pub(crate) fn networks(&self, variable: &'static str) -> Result<Vec<IpNet>, ConfigError> {
        self.required(variable, "must be networks separated by commas, such as 127.0.0.0/8,::1/128", |text| {
            let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
            parts.map(network).collect::<Option<Vec<_>>>()
        })
    }

    /// An address to listen on.
    pub(crate) fn address(&self, variable: &'static str) -> Result<Option<SocketAddr>, ConfigError> {
        self.optional(variable, "must be an IP address and a port, such as 127.0.0.1:3000 or [::]:3000", |text| {
            SocketAddr::from_str(text).ok()
        })
    }

    /// An absolute URL of a surface, without a slash at its end.
    pub(crate) fn surface(&self, variable: &'static str) -> Result<Option<Url>, ConfigError> {
        self.optional(
            variable,
            "must be an http or https URL without user, query or fragment, such as https://api.example.com",
            |text| {
                let url = Url::parse(text).ok()?;
                let plain = matches!(url.scheme(), "http" | "https")
                    && url.has_host()
                    && url.username().is_empty()
                    && url.password().is_none()
                    && url.query().is_none()
                    && url.fragment().is_none();
                plain.then_some(url)
            },
        )
    }
}

/// A network, or one address.
fn network(text: &str) -> Option<IpNet> {
    IpNet::from_str(text).ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}
