//! The commands. Each `create` prints one JSON object and works beside a running server.

mod create;
mod database;
mod ledger;

use domain::Clock as _;

use crate::cli::{ApiKeyCommand, Command, ProjectCommand, SecretsCommand, UserCommand};
use crate::config::{Config, Layers};
use crate::failure::Failure;
use crate::surroundings::SystemClock;
use crate::{demo, output, serve, telemetry};

pub(crate) use create::generate_password;
pub(crate) use database::{open, open_with, prepare};

/// Runs one command to its end.
pub(crate) async fn run(command: Command, layers: Layers) -> Result<(), Failure> {
    let config = Config::read(&layers)?;
    match command {
        Command::Serve { migrate } => {
            telemetry::start(&config);
            serve::run(config, migrate).await
        }
        Command::Demo => demo::run(layers).await,
        Command::Migrate => {
            open(&config).await?.migrate().await.map_err(Failure::Database)?;
            output::say("the database is up to date").map_err(Failure::from)
        }
        Command::Openapi => {
            let surfaces = config.urls.resolve(config.listen);
            let document = api::openapi(serve::api_config(&config, &surfaces), SystemClock.now());
            Ok(output::json(&document)?)
        }
        Command::Project(ProjectCommand::Create { name, contact_limit }) => {
            create::project(&database::ready(&config).await?, name, contact_limit).await
        }
        Command::ApiKey(ApiKeyCommand::Create { project, name, scopes }) => {
            create::api_key(&database::ready(&config).await?, project, name, scopes).await
        }
        Command::User(UserCommand::Create { email, project, role }) => {
            create::user(&database::ready(&config).await?, email, project, role).await
        }
        Command::Ledger(args) => ledger::run(&database::ready(&config).await?, &args, config.attempt_retention).await,
        Command::Secrets(SecretsCommand::Reencrypt) => {
            let done = store::sealed::reseal(&database::ready(&config).await?).await?;
            Ok(output::json(&done)?)
        }
    }
}
