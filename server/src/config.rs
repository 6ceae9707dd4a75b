//! The configuration (contract section 10): flags, environment, a TOML file, defaults, in this
//! order. Read once, here; a wrong value stops the start with one line.

mod layers;
mod read;
mod secret;
mod settings;
mod surfaces;

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use delivery::ExtraRoots;
use domain::Timestamp;
use domain::ladder::RetrySchedule;
use ipnet::IpNet;
use url::Url;

pub(crate) use layers::Layers;
pub(crate) use secret::{Secret, keyring, private_file, private_folder, private_if_missing};
pub(crate) use settings::{CONFIG_FILE, SETTINGS, Setting};
pub(crate) use surfaces::{Surfaces, Urls};

/// A variable with a wrong value, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConfigError {
    variable: String,
    /// Missing where it must not be shown.
    value: Option<String>,
    accepted: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.variable)?;
        if let Some(value) = &self.value {
            // Never more than one line, whatever was given.
            write!(f, "={}", value.escape_debug())?;
        }
        write!(f, ": {}", self.accepted.replace('\n', " "))
    }
}

impl std::error::Error for ConfigError {}

/// Where the database is.
#[derive(Clone)]
pub(crate) enum Database {
    Sqlite { path: PathBuf },
    Postgres { url: Secret },
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

/// What this process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Roles {
    pub(crate) web: bool,
    pub(crate) worker: bool,
}

/// Everything, read and checked.
#[derive(Clone)]
pub(crate) struct Config {
    pub(crate) listen: SocketAddr,
    pub(crate) ops_listen: Option<SocketAddr>,
    pub(crate) data_dir: PathBuf,
    pub(crate) database: Database,
    pub(crate) production: bool,
    pub(crate) secret_key: Option<Secret>,
    pub(crate) secret_key_previous: Option<Secret>,
    pub(crate) trusted_proxies: Vec<IpNet>,
    pub(crate) urls: Urls,
    pub(crate) retry_schedule: RetrySchedule,
    pub(crate) connect_timeout: Duration,
    pub(crate) read_timeout: Duration,
    pub(crate) secret_overlap: Duration,
    pub(crate) auto_disable_after: Option<Duration>,
    pub(crate) allowed_private_networks: Vec<IpNet>,
    pub(crate) extra_roots: ExtraRoots,
    pub(crate) attempt_retention: Duration,
    pub(crate) event_retention: Duration,
    pub(crate) idempotency_ttl: Duration,
    pub(crate) idempotency_lease: Duration,
    pub(crate) rate_limit: u32,
    pub(crate) offset_sunset: Timestamp,
    pub(crate) redis_url: Option<Secret>,
    pub(crate) roles: Roles,
    pub(crate) log: String,
    pub(crate) log_format: LogFormat,
    pub(crate) traces: Option<Traces>,
}

/// Where traces are collected, and of how many requests.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Traces {
    /// The collector, without the signal's own path.
    pub(crate) url: String,
    /// From 0 to 1.
    pub(crate) share: f64,
}

/// Contract section 7: an event is kept 90 days at least.
const EVENTS_LEAST: Duration = Duration::from_secs(90 * 86_400);
const SECOND: Duration = Duration::from_secs(1);
const MILLISECOND: Duration = Duration::from_millis(1);

impl Config {
    /// Reads what was given.
    pub(crate) fn read(layers: &Layers) -> Result<Self, ConfigError> {
        let folder = |text: &str| (!text.is_empty()).then(|| PathBuf::from(text));
        let data_dir = layers.required("BOTIX_DATA_DIR", "must be a folder", folder)?;
        let database = database(layers, &data_dir)?;
        let connect_timeout = layers.duration("BOTIX_CONNECT_TIMEOUT", MILLISECOND)?;
        let schedule = "must be durations separated by commas, such as 1m,15m,1h,24h";
        Ok(Self {
            listen: layers.address("BOTIX_LISTEN")?.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 3000))),
            ops_listen: layers.address("BOTIX_OPS_LISTEN")?,
            database,
            data_dir,
            production: layers.required("BOTIX_ENV", "must be development or production", |text| match text {
                "development" => Some(false),
                "production" => Some(true),
                _ => None,
            })?,
            secret_key: Secret::read(layers, "BOTIX_SECRET_KEY")?,
            secret_key_previous: Secret::read(layers, "BOTIX_SECRET_KEY_PREVIOUS")?,
            trusted_proxies: layers.networks("BOTIX_TRUSTED_PROXIES")?,
            urls: Urls::read(layers)?,
            retry_schedule: layers.required("BOTIX_RETRY_SCHEDULE", schedule, |text| text.parse().ok())?,
            connect_timeout,
            read_timeout: layers.duration("BOTIX_READ_TIMEOUT", MILLISECOND)?,
            secret_overlap: layers.duration("BOTIX_SECRET_OVERLAP", Duration::ZERO)?,
            auto_disable_after: layers.optional_duration("BOTIX_AUTO_DISABLE_AFTER", SECOND)?,
            allowed_private_networks: layers.networks("BOTIX_ALLOWED_PRIVATE_NETWORKS")?,
            extra_roots: layers
                .optional("BOTIX_EXTRA_CA_FILE", "must be a readable file of certificates in PEM form", |path| {
                    ExtraRoots::from_pem(&std::fs::read(path).ok()?)
                })?
                .unwrap_or_default(),
            attempt_retention: layers.duration("BOTIX_ATTEMPT_RETENTION", SECOND)?,
            event_retention: layers.duration("BOTIX_EVENT_RETENTION", EVENTS_LEAST)?,
            idempotency_ttl: layers.duration("BOTIX_IDEMPOTENCY_TTL", SECOND)?,
            idempotency_lease: layers.duration("BOTIX_IDEMPOTENCY_LEASE", SECOND)?,
            rate_limit: layers.required("BOTIX_RATE_LIMIT", "must be a whole number from 1 on", |t| {
                t.parse().ok().filter(|n| *n > 0)
            })?,
            offset_sunset: layers.required("BOTIX_OFFSET_SUNSET", "must be a date such as 2026-11-01", date)?,
            redis_url: layers.optional("BOTIX_REDIS_URL", "must be redis://…", |t| {
                t.starts_with("redis://").then(|| Secret::new(t))
            })?,
            roles: layers.required("BOTIX_ROLES", "must be web, worker or web,worker", roles)?,
            log: layers.required("BOTIX_LOG", "must be a filter such as info or info,delivery=debug", |text| {
                tracing_subscriber::EnvFilter::try_new(text).ok().map(|_| text.to_owned())
            })?,
            log_format: layers.required("BOTIX_LOG_FORMAT", "must be text or json", |text| match text {
                "text" => Some(LogFormat::Text),
                "json" => Some(LogFormat::Json),
                _ => None,
            })?,
            traces: traces(layers)?,
        })
    }
}

fn database(layers: &Layers, data_dir: &std::path::Path) -> Result<Database, ConfigError> {
    let accepted = "must be sqlite:PATH or postgres://user:password@host/database";
    let given = layers.optional("DATABASE_URL", accepted, |text| {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            let path = path.split('?').next().unwrap_or(path);
            return (!path.is_empty()).then(|| Database::Sqlite { path: path.into() });
        }
        let postgres = text.starts_with("postgres://") || text.starts_with("postgresql://");
        (postgres && url::Url::parse(text).is_ok()).then(|| Database::Postgres { url: Secret::new(text) })
    })?;
    Ok(given.unwrap_or_else(|| Database::Sqlite { path: data_dir.join("botix.db") }))
}

fn traces(layers: &Layers) -> Result<Option<Traces>, ConfigError> {
    let share = layers.required("BOTIX_OTLP_SHARE", "must be a number from 0 to 1", |text| {
        text.parse().ok().filter(|share| (0.0..=1.0).contains(share))
    })?;
    // A collector stands beside the process or forwards from there; TLS is its business.
    let url = layers.optional(
        "BOTIX_OTLP_URL",
        "must be an http URL without query, such as http://127.0.0.1:4318",
        |text| {
            let url = Url::parse(text).ok()?;
            let plain = url.scheme() == "http" && url.query().is_none() && url.fragment().is_none();
            plain.then(|| text.trim_end_matches('/').to_owned())
        },
    )?;
    Ok(url.map(|url| Traces { url, share }))
}

fn date(text: &str) -> Option<Timestamp> {
    Timestamp::parse(&format!("{text}T00:00:00Z")).or_else(|_| Timestamp::parse(text)).ok()
}

fn roles(text: &str) -> Option<Roles> {
    let mut roles = Roles { web: false, worker: false };
    for role in text.split(',').map(str::trim) {
        match role {
            "web" => roles.web = true,
            "worker" => roles.worker = true,
            _ => return None,
        }
    }
    Some(roles)
}

#[cfg(test)]
mod tests;
