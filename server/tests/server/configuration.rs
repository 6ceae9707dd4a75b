//! Contract section 10: precedence, and one line for a wrong value.

use crate::support::{Folder, text};

fn complaint(args: &[&str], env: &[(&str, &str)]) -> String {
    let output = Folder::new().run(args, env);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty());
    let line = text(&output.stderr);
    assert_eq!(line.trim_end().lines().count(), 1, "{line}");
    line
}

#[test]
fn a_wrong_value_stops_the_start_with_one_line() {
    for (variable, value, accepted) in [
        ("BOTIX_READ_TIMEOUT", "soon", "10s"),
        ("BOTIX_LISTEN", "nowhere", "127.0.0.1:3000"),
        ("BOTIX_RETRY_SCHEDULE", "1m,later", "1m,15m,1h,24h"),
        ("BOTIX_ALLOWED_PRIVATE_NETWORKS", "10/999", "127.0.0.0/8"),
        ("BOTIX_EVENT_RETENTION", "30d", "90d or more"),
    ] {
        let line = complaint(&["serve"], &[(variable, value)]);
        assert!(line.contains(&format!("{variable}={value}")) && line.contains(accepted), "{line}");
    }
}

#[test]
fn a_secret_is_never_repeated() {
    let line = complaint(&["serve"], &[("BOTIX_SECRET_KEY", "hunter2")]);
    assert!(line.contains("BOTIX_SECRET_KEY") && line.contains("32 bytes") && !line.contains("hunter2"), "{line}");
}

#[test]
fn a_database_that_cannot_be_reached_is_named_and_its_password_is_not_shown() {
    // Nothing listens on port 1.
    let urls = ["postgres://botix:hunter2@127.0.0.1:1/botix", "postgres://botix:hunter2@127.0.0.1:1/botix?sslmode=odd"];
    let folder = Folder::new();
    for url in urls {
        for command in [&["serve"][..], &["migrate"], &["project", "create", "--name", "N"]] {
            let output = folder.run(command, &[("DATABASE_URL", url), ("BOTIX_LOG", "error")]);
            let line = text(&output.stderr);
            assert!(!output.status.success() && line.trim_end().lines().count() == 1, "{line}");
            assert!(line.contains("DATABASE_URL: ") && !line.contains("hunter2"), "{line}");
        }
    }
}

#[test]
fn production_does_not_make_a_secret_key_itself() {
    let line = complaint(&["serve"], &[("BOTIX_ENV", "production")]);
    assert!(line.contains("BOTIX_SECRET_KEY"), "{line}");
}

#[test]
fn flag_wins_over_environment_and_environment_over_file() {
    let folder = Folder::new();
    let file = folder.path().join("botix.toml");
    let complaint = |toml: &str, args: &[&str], env: &[(&str, &str)]| {
        std::fs::write(&file, toml).unwrap();
        let args = [&["--config", file.to_str().unwrap(), "project", "create", "--name", "N"], args].concat();
        text(&folder.run(&args, env).stderr)
    };
    let line = complaint("rate_limit = 0", &[], &[]);
    assert!(line.contains("BOTIX_RATE_LIMIT=0"), "{line}");
    let line = complaint("rate_limit = 0", &[], &[("BOTIX_RATE_LIMIT", "many")]);
    assert!(line.contains("BOTIX_RATE_LIMIT=many"), "{line}");
    let line = complaint("rate_limit = 0", &["--rate-limit", "few"], &[("BOTIX_RATE_LIMIT", "many")]);
    assert!(line.contains("BOTIX_RATE_LIMIT=few"), "{line}");
    assert_eq!(complaint("retry_schedule = [\"1s\", \"2s\"]", &[], &[]), "");
    let line = complaint("rate_limits = 1", &[], &[]);
    assert!(line.contains("BOTIX_CONFIG") && line.contains("rate_limits"), "{line}");
    let line = complaint("rate_limit = ", &[], &[]);
    assert!(line.contains("line 1") && line.trim_end().lines().count() == 1, "{line}");
}

#[test]
fn the_help_lists_every_command_and_variable() {
    let help =
        text(&Folder::new().run(&["--help"], &[("BOTIX_SECRET_KEY", "a-secret-that-must-not-be-in-the-help")]).stdout);
    for word in
        ["serve", "demo", "migrate", "project", "api-key", "user", "DATABASE_URL", "BOTIX_ROLES", "1m,15m,1h,24h"]
    {
        assert!(help.contains(word), "{word}");
    }
    assert!(!help.contains("a-secret-that"), "{help}");
}
