import { newCommitMarker, INSERT_VOID_MARKER } from './mysql/commit-markers.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Store } from './store.ts'
import { TimeLimit, type TimeoutPolicy } from './timeouts.ts'

/** Limits of the check. It has no retries: the first failure is its result. */
const TIMEOUTS: TimeoutPolicy = { statementMs: 1000, retryMs: 0, totalMs: 1000 }
const IS_IDEMPOTENT = true

/** Checks that the database accepts writes, by a write that changes no data. Rejects otherwise. */
export const checkWrites = (store: Pick<Store, 'transaction'>, dialect: Dialect): Promise<void> =>
  store.transaction(
    async (statements) => {
      if (dialect === 'sqlite') return void (await statements.run('PRAGMA user_version = 1', []))
      const marker = newCommitMarker()
      await statements.run(INSERT_VOID_MARKER, [marker])
      await statements.run('DELETE FROM `commits` WHERE `id` = ?', [marker])
    },
    new TimeLimit(TIMEOUTS),
    IS_IDEMPOTENT,
  )
