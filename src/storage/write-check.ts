import { newCommitMarker, INSERT_VOID_MARKER } from './mysql/commit-markers.ts'
import { isPublic } from '../domain/errors.ts'
import { hasNoRoom } from './no-room.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Store } from './store.ts'
import { TimeLimit, type TimeoutPolicy } from './timeouts.ts'

/** Limits of the check. It has no retries: the first failure is its result. */
const TIMEOUTS: TimeoutPolicy = { statementMs: 1000, retryMs: 0, totalMs: 1000 }
const IS_IDEMPOTENT = true

/** Time for which a transaction that found no room counts. While a sync runs, transactions are more frequent. */
const NO_ROOM_MS = 30_000

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
    if (hasNoRoom(isPublic(error) ? error.cause : error)) this.noRoom = { error, at: this.now() }
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
