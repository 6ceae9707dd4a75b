//! What is accepted, and what the line says when it isn't.

use super::*;

fn read(pairs: &[(&'static str, &str)]) -> Result<Config, String> {
    Config::read(&Layers::of(pairs)).map_err(|error| error.to_string())
}

#[test]
fn the_defaults_are_the_contracts() {
    let config = read(&[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(config.listen.to_string(), "127.0.0.1:3000");
    assert_eq!(config.retry_schedule, "1m,15m,1h,24h".parse().unwrap());
    assert_eq!((config.connect_timeout.as_secs(), config.read_timeout.as_secs()), (10, 30));
    assert_eq!(config.rate_limit, 600);
    assert_eq!(config.offset_sunset.to_rfc3339(), "2026-11-01T00:00:00.000Z");
    assert_eq!(config.roles, Roles { web: true, worker: true });
    assert!(matches!(config.database, Database::Sqlite { path } if path.ends_with("data/botix.db")));
}

#[test]
fn a_wrong_value_is_one_line_with_variable_value_and_what_is_accepted() {
    for (variable, value, accepted) in [
        ("BOTIX_LISTEN", "nowhere", "an IP address and a port"),
        ("BOTIX_ENV", "prod", "development or production"),
        ("BOTIX_READ_TIMEOUT", "soon", "10s"),
        ("BOTIX_READ_TIMEOUT", "0s", "1ms or more"),
        ("BOTIX_AUTO_DISABLE_AFTER", "a week", "10s"),
        ("BOTIX_AUTO_DISABLE_AFTER", "0s", "1s or more"),
        ("BOTIX_RETRY_SCHEDULE", "1m,later", "1m,15m,1h,24h"),
        ("BOTIX_EVENT_RETENTION", "89d", "must be 90d or more"),
        ("BOTIX_ALLOWED_PRIVATE_NETWORKS", "10/999", "127.0.0.0/8"),
        ("BOTIX_RATE_LIMIT", "0", "from 1 on"),
        ("BOTIX_OFFSET_SUNSET", "soon", "2026-11-01"),
        ("BOTIX_ROLES", "web,cook", "web, worker"),
        ("BOTIX_API_URL", "api.example.com", "https://"),
        ("BOTIX_LOG_FORMAT", "xml", "text or json"),
        ("BOTIX_OTLP_URL", "https://collector.example", "http URL"),
        ("BOTIX_OTLP_SHARE", "1.5", "from 0 to 1"),
        ("BOTIX_LOG", "info,=", "filter"),
        ("BOTIX_EXTRA_CA_FILE", "/dev/null", "PEM"),
        ("BOTIX_EXTRA_CA_FILE", "/no/such/file", "readable"),
    ] {
        let Err(line) = read(&[(variable, value)]) else { panic!("{variable}={value} was accepted") };
        assert!(line.starts_with(&format!("{variable}={value}: ")), "{line}");
        assert!(line.contains(accepted) && !line.contains('\n'), "{line}");
    }
}

#[test]
fn secrets_are_not_repeated() {
    for (variable, value) in
        [("BOTIX_SECRET_KEY", "hunter2"), ("DATABASE_URL", "mysql://u:hunter2@h/d"), ("BOTIX_REDIS_URL", "hunter2")]
    {
        let Err(line) = read(&[(variable, value)]) else { panic!("{variable} was accepted") };
        assert!(line.starts_with(variable) && !line.contains("hunter2"), "{line}");
    }
}

#[test]
fn a_line_break_in_a_value_stays_one_line() {
    let Err(line) = read(&[("BOTIX_ENV", "a\nb")]) else { panic!("accepted") };
    assert_eq!(line.lines().count(), 1);
}

#[test]
fn databases_are_told_apart() {
    let sqlite = |url| match read(&[("DATABASE_URL", url)]).unwrap_or_else(|e| panic!("{e}")).database {
        Database::Sqlite { path } => path.display().to_string(),
        Database::Postgres { .. } => panic!("{url}"),
    };
    assert_eq!(sqlite("sqlite:///var/lib/botix.db"), "/var/lib/botix.db");
    assert_eq!(sqlite("sqlite:here.db?mode=rwc"), "here.db");
    let config = read(&[("DATABASE_URL", "postgresql://u@h/d")]).unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(config.database, Database::Postgres { .. }));
}

#[test]
fn surfaces_share_one_origin_until_told_otherwise() {
    let listen = "127.0.0.1:4000".parse().unwrap();
    let config = read(&[]).unwrap_or_else(|e| panic!("{e}"));
    let one = config.urls.resolve(listen);
    assert_eq!((one.api.as_str(), one.docs.as_str()), ("http://127.0.0.1:4000", "http://127.0.0.1:4000/docs"));
    assert!(!one.distinct_hosts());
    let config = read(&[("BOTIX_APP_URL", "https://app.example.com/"), ("BOTIX_API_URL", "https://api.example.com")]);
    let two = config.unwrap_or_else(|e| panic!("{e}")).urls.resolve(listen);
    assert_eq!((two.api.as_str(), two.inspector.as_str()), ("https://api.example.com", "https://app.example.com"));
    assert!(two.distinct_hosts());
}
