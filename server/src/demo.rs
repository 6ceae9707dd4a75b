//! `botix demo`: everything that a newcomer needs to see a webhook fail, retry it, and see it arrive.

mod credentials;
mod dice;
mod emitter;
mod events;
mod receiver;
mod seed;
mod shop;

use std::net::SocketAddr;

use domain::entropy::random_bytes;
use store::{Store, projects};

use credentials::Credentials;

use crate::config::{Config, Layers};
use crate::failure::Failure;
use crate::serve::{Server, listener};
use crate::{output, telemetry};

/// The sample receiver is on this machine, and so are the servers of whoever tries things out.
const LOOPBACK: &str = "127.0.0.0/8,::1/128";
/// The log would hide what is printed.
const QUIET: &str = "warn";

/// Serves the demo until a signal comes.
pub(crate) async fn run(mut layers: Layers) -> Result<(), Failure> {
    layers.append("BOTIX_ALLOWED_PRIVATE_NETWORKS", LOOPBACK);
    layers.set_default("BOTIX_LOG", QUIET);
    let any_port = !layers.is_given("BOTIX_LISTEN");
    let config = Config::read(&layers)?;
    telemetry::start(&config);
    let server = match Server::prepare(config.clone(), true).await {
        Err(Failure::Refused(_)) if any_port => {
            let listen = SocketAddr::new(config.listen.ip(), 0);
            Server::prepare(Config { listen, ..config.clone() }, true).await?
        }
        prepared => prepared?,
    };
    let address = server.address()?;
    let known = match Credentials::load(&config.data_dir) {
        Some(known) if exists(&server.store, &known).await? => Some(known),
        _ => None,
    };
    let sample = receiver::bind(known.as_ref().map(|known| known.receiver_port), address).await?;
    let port = sample.local_addr()?.port();
    let credentials = match known {
        Some(known) if known.receiver_port == port => known,
        Some(known) => {
            seed::move_receiver(&server.store, &known, port).await?;
            let moved = Credentials { receiver_port: port, ..known };
            moved.save(&config.data_dir)?;
            moved
        }
        None => seed::seed(&config, &server.store, port).await?,
    };
    let tasks = &server.tasks;
    tasks.spawn(listener::serve(sample, receiver::router(&credentials), server.closing.clone()));
    tasks.spawn(emitter::run(server.store.clone(), credentials.project_id, server.closing.clone()));
    // Whoever closes our output after reading what they wanted still wants the demo.
    if let Err(error) = output::say(&way_in(&server, &credentials)) {
        tracing::warn!(%error, "the way in could not be printed");
    }
    server.run().await
}

async fn exists(store: &Store, known: &Credentials) -> Result<bool, Failure> {
    Ok(projects::get(&mut store.reader().await?, known.project_id).await?.is_some())
}

/// What a newcomer reads. Scripts read it, too: one `label  value` a line.
fn way_in(server: &Server, credentials: &Credentials) -> String {
    let Credentials { email, password, api_key, receiver_port, .. } = credentials;
    let (app, api) = (&server.surfaces.app, &server.surfaces.api);
    let random = u128::from_be_bytes(random_bytes(server.store.entropy()));
    // A version 4 UUID (RFC 9562), fresh, as an Idempotency-Key should be.
    let key = format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        random >> 96,
        (random >> 80) & 0xffff,
        (random >> 64) & 0xfff,
        (random >> 52) & 0xfff,
        random & 0xffff_ffff_ffff
    );
    let phone = random % 10_000_000;
    format!(
        "\n  BOTIX demo is ready\n\n  \
         Dashboard   {app}/developers\n  \
         E-mail      {email}\n  \
         Password    {password}\n  \
         API key     {api_key}\n  \
         Receiver    http://127.0.0.1:{receiver_port}/\n\n  \
         Create a contact, and watch its webhooks arrive:\n\n  \
         curl -X POST {api}/public/v1/contacts -H 'Authorization: Bearer {api_key}' \
         -H 'Idempotency-Key: {key}' -H 'Content-Type: application/json' \
         -d '{{\"phone\": \"+7998{phone:07}\", \"name\": \"Anna\"}}'\n"
    )
}
