//! `botix ledger`: is anything lost?

use std::time::Duration;

use store::Store;
use store::ledger::{LedgerScope, LedgerTimes, ledger};

use crate::cli::LedgerArgs;
use crate::failure::Failure;
use crate::output;

/// Prints the ledger; an unbalanced one is a failure, so that a scheduled job notices.
pub(super) async fn run(store: &Store, args: &LedgerArgs, attempts_kept: Duration) -> Result<(), Failure> {
    let scope = LedgerScope {
        project_id: args.project,
        endpoint_id: args.endpoint,
        created_after: args.created_after,
        created_before: args.created_before,
    };
    let times = LedgerTimes { now: store.now(), attempts_kept };
    let found = ledger(&mut store.reader().await?, scope, times).await?;
    output::json(&found)?;
    if found.balanced { Ok(()) } else { Err(Failure::Unbalanced) }
}
