//! The `botix` binary: configuration, command line, wiring, telemetry, shutdown. No rules of its own.

mod cli;
mod commands;
mod config;
mod demo;
mod failure;
mod hex;
#[cfg(feature = "otlp")]
mod otlp;
mod output;
mod serve;
mod surroundings;
mod telemetry;

use std::process::ExitCode;

use failure::Failure;

/// Rendering, SSE and the engine share the threads; with fewer, one slow page would hold up the rest.
const MIN_THREADS: usize = 4;

fn main() -> ExitCode {
    let (cli, matches) = match cli::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        // Help and version go to standard output with exit code 0, mistakes to standard error.
        Err(error) => error.exit(),
    };
    match run(cli.command, &matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure.to_string());
            failure.exit_code()
        }
    }
}

fn run(command: cli::Command, matches: &clap::ArgMatches) -> Result<(), Failure> {
    let layers = config::Layers::collect(matches)?;
    let threads = std::thread::available_parallelism().map_or(MIN_THREADS, |n| n.get().max(MIN_THREADS));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let outcome = runtime.block_on(commands::run(command, layers));
    // Whatever still runs has had its deadline.
    runtime.shutdown_background();
    outcome
}
