//! The command line (contract section 11). The flags of the configuration come from the table of
//! settings; the commands are declared here.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use domain::Timestamp;
use domain::id::{EndpointId, ProjectId};
use domain::status::{Role, Scope};

use crate::config::{CONFIG_FILE, SETTINGS, Setting};

/// BOTIX Developers: an API with webhooks that arrive, and a dashboard that shows how.
#[derive(Debug, Parser)]
#[command(name = "botix", version, disable_help_subcommand = true, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the API, the dashboard and the deliveries.
    Serve {
        /// Migrate a PostgreSQL database first (a SQLite file is always migrated).
        #[arg(long)]
        migrate: bool,
    },
    /// Serve with a seeded project, a login, an API key and a sample receiver, all printed.
    Demo,
    /// Bring the database's schema up to this version.
    Migrate,
    /// Print the OpenAPI document of the public API.
    Openapi,
    /// Projects.
    #[command(subcommand)]
    Project(ProjectCommand),
    /// API keys.
    #[command(subcommand, name = "api-key")]
    ApiKey(ApiKeyCommand),
    /// People who sign in to the dashboard.
    #[command(subcommand)]
    User(UserCommand),
    /// Check that no delivery is lost and print the sum of each endpoint as JSON; fails when one is.
    /// Can be run beside a working server.
    Ledger(LedgerArgs),
    /// Stored secrets.
    #[command(subcommand)]
    Secrets(SecretsCommand),
}

/// `botix ledger …`
#[derive(Debug, clap::Args)]
pub(crate) struct LedgerArgs {
    /// Only this project's.
    #[arg(long, value_name = "PRJ_ID")]
    pub(crate) project: Option<ProjectId>,
    /// Only this endpoint's.
    #[arg(long, value_name = "WHE_ID")]
    pub(crate) endpoint: Option<EndpointId>,
    /// Only deliveries created then or later (RFC 3339).
    #[arg(long, value_name = "TIME", value_parser = Timestamp::parse)]
    pub(crate) created_after: Option<Timestamp>,
    /// Only deliveries created before (RFC 3339).
    #[arg(long, value_name = "TIME", value_parser = Timestamp::parse)]
    pub(crate) created_before: Option<Timestamp>,
}

/// `botix secrets …`
#[derive(Debug, Subcommand)]
pub(crate) enum SecretsCommand {
    /// Encrypt anew, with `BOTIX_SECRET_KEY`, what `BOTIX_SECRET_KEY_PREVIOUS` encrypted, so that the
    /// previous key can be taken away. Run it when every server has the new key.
    Reencrypt,
}

/// `botix project …`
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Create a project and print it as JSON.
    Create {
        /// What it is called.
        #[arg(long)]
        name: String,
        /// How many contacts it may hold.
        #[arg(long, value_name = "K")]
        contact_limit: Option<u32>,
    },
}

/// `botix api-key …`
#[derive(Debug, Subcommand)]
pub(crate) enum ApiKeyCommand {
    /// Create a key and print it as JSON; it is never shown again.
    Create {
        /// Whose key it is.
        #[arg(long, value_name = "PRJ_ID")]
        project: ProjectId,
        /// What it is called.
        #[arg(long, default_value = "command line")]
        name: String,
        /// What it may do.
        #[arg(long, default_value = "read,write", value_delimiter = ',')]
        scopes: Vec<Scope>,
    },
}

/// `botix user …`
#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Create a person and print them as JSON. The password is read from standard input when it is
    /// piped in, else generated and printed.
    Create {
        /// The address to sign in with.
        #[arg(long)]
        email: String,
        /// The project to make them a member of.
        #[arg(long, value_name = "PRJ_ID")]
        project: Option<ProjectId>,
        /// owner, developer, viewer, or support (staff: every project).
        #[arg(long, default_value = "owner")]
        role: Role,
    },
}

/// Reads the command line and the environment. The second value holds the configuration's texts.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<(Cli, ArgMatches), clap::Error> {
    let mut command = Cli::command();
    for setting in std::iter::once(&CONFIG_FILE).chain(SETTINGS) {
        command = command.arg(argument(setting));
    }
    let matches = command.try_get_matches_from(args)?;
    let cli = Cli::from_arg_matches(&matches)?;
    // A flag may stand before or after the command; the innermost command knows both.
    let mut innermost = &matches;
    while let Some((_, inner)) = innermost.subcommand() {
        innermost = inner;
    }
    Ok((cli, innermost.clone()))
}

fn argument(setting: &Setting) -> Arg {
    let default = if setting.default.is_empty() { "empty" } else { setting.default };
    Arg::new(setting.key())
        .long(setting.flag())
        .env(setting.variable)
        .hide_env_values(true)
        .hide_short_help(true)
        .global(true)
        .value_name(setting.value)
        .help_heading("Configuration (flag, else environment, else file, else default)")
        .help(format!("{} [default: {default}]", setting.help))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Layers};

    fn listen(args: &[&str]) -> String {
        let (_, matches) = parse(args.iter().map(OsString::from)).unwrap();
        let layers = Layers::collect(&matches).unwrap_or_else(|e| panic!("{e}"));
        Config::read(&layers).unwrap_or_else(|e| panic!("{e}")).listen.to_string()
    }

    #[test]
    fn a_flag_may_stand_before_or_after_the_command() {
        assert_eq!(listen(&["botix", "--listen", "127.0.0.1:1", "serve"]), "127.0.0.1:1");
        assert_eq!(listen(&["botix", "serve", "--listen", "127.0.0.1:2"]), "127.0.0.1:2");
        assert_eq!(listen(&["botix", "project", "create", "--name", "N", "--listen", "127.0.0.1:3"]), "127.0.0.1:3");
    }

    #[test]
    fn the_help_lists_every_variable() {
        let help = parse(["botix", "--help"].map(OsString::from)).unwrap_err().to_string();
        for setting in SETTINGS {
            assert!(help.contains(setting.variable), "{}", setting.variable);
        }
    }
}
