//! Every variable of contract section 10: its name, its default, what it is for. One table, from
//! which `botix --help`, the flags, the environment and the configuration file are all read.

/// One variable. Its flag and its key in the file follow from the name: `BOTIX_DATA_DIR` is
/// `--data-dir` and `data_dir`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// The environment variable.
    pub(crate) variable: &'static str,
    /// What is shown as the default; read as the value where `literal` is set.
    pub(crate) default: &'static str,
    /// Whether the default is a value, or a description of where it comes from.
    pub(crate) literal: bool,
    /// What stands for the value in the help.
    pub(crate) value: &'static str,
    /// What it is for.
    pub(crate) help: &'static str,
}

impl Setting {
    /// The key in the configuration file, also the flag's id.
    pub(crate) fn key(&self) -> String {
        self.variable.strip_prefix("BOTIX_").unwrap_or(self.variable).to_ascii_lowercase()
    }

    /// The flag, without its dashes.
    pub(crate) fn flag(&self) -> String {
        self.key().replace('_', "-")
    }
}

const fn value(variable: &'static str, default: &'static str, value: &'static str, help: &'static str) -> Setting {
    Setting { variable, default, literal: true, value, help }
}

const fn derived(variable: &'static str, default: &'static str, value: &'static str, help: &'static str) -> Setting {
    Setting { variable, default, literal: false, value, help }
}

/// Where the configuration file is. Not in [`SETTINGS`]: a file can't say where it is.
pub(crate) const CONFIG_FILE: Setting =
    derived("BOTIX_CONFIG", "none", "FILE", "A TOML file with these settings, e.g. listen = \"0.0.0.0:3000\"");

/// Every variable.
pub(crate) const SETTINGS: &[Setting] = &[
    derived(
        "DATABASE_URL",
        "a SQLite file in the data folder",
        "URL",
        "sqlite:PATH, or postgres://… for several replicas",
    ),
    value("BOTIX_LISTEN", "127.0.0.1:3000", "ADDRESS", "Where to listen; port 0 takes any free one"),
    value("BOTIX_DATA_DIR", "./data", "FOLDER", "Where the SQLite file and the generated secret key are kept"),
    value("BOTIX_ENV", "development", "NAME", "development or production; production never makes a secret key itself"),
    derived(
        "BOTIX_SECRET_KEY",
        "made and kept in the data folder",
        "TEXT",
        "The key that everything secret derives from, 32 bytes or more",
    ),
    derived("BOTIX_SECRET_KEY_PREVIOUS", "none", "TEXT", "The key before the last rotation; still opens and verifies"),
    derived(
        "BOTIX_OPS_LISTEN",
        "with the rest",
        "ADDRESS",
        "A listener of its own for /healthz, /readyz and /metrics; they leave the main one then",
    ),
    value("BOTIX_TRUSTED_PROXIES", "", "NETWORKS", "Proxies whose X-Forwarded-For is believed, e.g. 10.0.0.0/8"),
    derived("BOTIX_API_URL", "the one origin", "URL", "Where the public API is reached, e.g. https://api.botix.pro"),
    derived("BOTIX_APP_URL", "the one origin", "URL", "Where the dashboard is reached, e.g. https://app.botix.pro"),
    derived(
        "BOTIX_INSPECTOR_URL",
        "the one origin",
        "URL",
        "Where the inspector receives, e.g. https://webhook.botix.pro",
    ),
    derived(
        "BOTIX_DOCS_URL",
        "the one origin and /docs",
        "URL",
        "Where the docs are, e.g. https://developers.botix.pro",
    ),
    value("BOTIX_RETRY_SCHEDULE", "1m,15m,1h,24h", "DURATIONS", "The waits between the attempts of a delivery"),
    value("BOTIX_CONNECT_TIMEOUT", "10s", "DURATION", "How long a receiver may take to accept a connection"),
    value("BOTIX_READ_TIMEOUT", "30s", "DURATION", "How long a receiver may take for its whole answer"),
    value("BOTIX_SECRET_OVERLAP", "24h", "DURATION", "How long both secrets sign after a rotation"),
    derived(
        "BOTIX_AUTO_DISABLE_AFTER",
        "never",
        "DURATION",
        "After how long of failing without one success an endpoint is disabled, with an event, e.g. 5d",
    ),
    value(
        "BOTIX_ALLOWED_PRIVATE_NETWORKS",
        "",
        "NETWORKS",
        "Networks that webhooks may be sent to although they are not public, e.g. 127.0.0.0/8,::1/128",
    ),
    derived(
        "BOTIX_EXTRA_CA_FILE",
        "none",
        "FILE",
        "Certificates in PEM form of authorities that webhook receivers' TLS may come from, beside the public ones",
    ),
    value("BOTIX_ATTEMPT_RETENTION", "14d", "DURATION", "How long attempts and the request log are kept"),
    value("BOTIX_EVENT_RETENTION", "90d", "DURATION", "How long events are kept, 90d or more"),
    value("BOTIX_IDEMPOTENCY_TTL", "24h", "DURATION", "How long the answer behind an Idempotency-Key is kept"),
    value("BOTIX_IDEMPOTENCY_LEASE", "60s", "DURATION", "After how long a key is free whose process died"),
    value("BOTIX_RATE_LIMIT", "600", "NUMBER", "Requests a minute for a key whose project says nothing else"),
    value("BOTIX_OFFSET_SUNSET", "2026-11-01", "DATE", "From when on pagination=offset is refused"),
    derived(
        "BOTIX_REDIS_URL",
        "none",
        "URL",
        "Redis, redis://…, that replicas share: one rate limit, and a lock and cache in front of the idempotency table",
    ),
    value("BOTIX_ROLES", "web,worker", "ROLES", "What this process does: web serves, worker delivers"),
    value("BOTIX_LOG", "info", "FILTER", "What is logged, e.g. debug or info,delivery=debug"),
    value("BOTIX_LOG_FORMAT", "text", "FORMAT", "text or json"),
    derived(
        "BOTIX_OTLP_URL",
        "none",
        "URL",
        "A collector of traces that speaks OTLP over HTTP, e.g. http://127.0.0.1:4318",
    ),
    value("BOTIX_OTLP_SHARE", "1", "NUMBER", "Which share of the requests is traced, from 0 to 1"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_keys_follow_from_the_variables() {
        let names = |variable| {
            let setting = SETTINGS.iter().find(|setting| setting.variable == variable).unwrap();
            (setting.flag(), setting.key())
        };
        assert_eq!(names("BOTIX_DATA_DIR"), ("data-dir".to_owned(), "data_dir".to_owned()));
        assert_eq!(names("DATABASE_URL"), ("database-url".to_owned(), "database_url".to_owned()));
    }
}
