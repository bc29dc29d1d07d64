import { newCommitMarker, INSERT_VOID_MARKER } from './mysql/commit-markers.ts'
import { isPublic } from '../domain/errors.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Store } from './store.ts'
import { TimeLimit, type TimeoutPolicy } from './timeouts.ts'

/** Limits of the check. It has no retries: the first failure is its result. */
const TIMEOUTS: TimeoutPolicy = { statementMs: 1000, retryMs: 0, totalMs: 1000 }
const IS_IDEMPOTENT = true

/** Time for which a transaction that found no room counts. While a sync runs, transactions are more frequent. */
const NO_ROOM_MS = 30_000
/** Codes of MySQL, MariaDB and SQLite for a disk or a table without room. */
const NO_ROOM = /^(?:ER_DISK_FULL|ER_RECORD_FILE_FULL|SQLITE_FULL)$/

/** Checks that the database accepts writes. */
export class WriteCheck {
  private noRoom: { readonly error: unknown; readonly at: number } | null = null

  constructor(
    private readonly store: Pick<Store, 'transaction'>,
    private readonly dialect: Dialect,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Notes why a transaction failed. On a full disk, only large writes fail, so the check alone would pass. */
  noteFailure(error: unknown): void {
    const cause = isPublic(error) ? error.cause : error
    const { code } = (cause ?? {}) as { code?: unknown }
    if (NO_ROOM.test(String(code))) this.noRoom = { error, at: this.now() }
  }

  /** Runs a write that changes no data. Rejects if it fails, or if a transaction found no room lately. */
  async run(): Promise<void> {
    if (this.noRoom && this.now() - this.noRoom.at < NO_ROOM_MS) throw this.noRoom.error
    await this.store.transaction(
      async (statements) => {
        if (this.dialect === 'sqlite') return void (await statements.run('PRAGMA user_version = 1', []))
        const marker = newCommitMarker()
        await statements.run(INSERT_VOID_MARKER, [marker])
        await statements.run('DELETE FROM `commits` WHERE `id` = ?', [marker])
      },
      new TimeLimit(TIMEOUTS),
      IS_IDEMPOTENT,
    )
  }
}
