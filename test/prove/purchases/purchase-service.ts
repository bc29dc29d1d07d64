import type { Caller } from '../../../src/auth/caller.ts'
import type { Clock } from '../../../src/domain/time.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { registry } from '../../../src/providers/registry.ts'
import type { Database } from '../../../src/storage/database.ts'
import { purchaseCommands } from '../../../src/subgraphs/purchases/commands.ts'
import { reconcilePurchases } from '../../../src/subgraphs/purchases/reconciliation/reconcile-purchases.ts'
import { createVisibleReads } from '../../../src/subgraphs/tables/visible-reads.ts'

/** Purchase commands of a caller, and the job that reconciles, on the clock of the simulation. */
export function purchaseService(db: Database, caller: Caller, clock: Clock) {
  const deps = {
    db,
    registry: registry([]),
    notifier: { notify: () => undefined },
    clock,
    log: createLog('warn'),
    runningChecks: new Map(),
    // A busy machine does not decide.
    purchaseDeadlineMs: 60_000,
  }
  return {
    commands: () => purchaseCommands(deps, { caller, visible: createVisibleReads(db, caller) }),
    reconcile: () => reconcilePurchases(deps, new AbortController().signal),
  }
}
