import type { Database } from '../../storage/database.ts'
import type { Clock } from '../../domain/time.ts'
import { wakeWaiting } from './endpoint-leases.ts'

const SWEEP_MS = 60_000

/** Finds the logs that have grown, and makes the endpoints due that await them. */
export class EventLogWatcher {
  private lastBatch: number | null = null
  private sweptAt = 0

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Applications whose logs have grown since the last check. Null if any log may have grown. */
  async check(): Promise<ReadonlySet<string> | null> {
    if (this.lastBatch === null || performance.now() - this.sweptAt > SWEEP_MS) return this.sweep()
    const grown = await this.db.rows<{ applicationId: string; turn: number }>(
      'SELECT `applicationId`, `turn` FROM `log_heads` WHERE `turn` > ?',
      [this.lastBatch],
    )
    if (grown.length === 0) return new Set()
    const ids = grown.map(({ applicationId }) => applicationId)
    await wakeWaiting(this.db, ids, this.clock.now())
    this.lastBatch = Math.max(...grown.map(({ turn }) => Number(turn)))
    return new Set(ids)
  }

  /** Checks all logs: a worker that died during a release may have left an endpoint asleep. */
  private async sweep(): Promise<null> {
    const [head] = await this.db.rows<{ position: number }>(
      "SELECT `position` FROM `log_heads` WHERE `applicationId` = ''",
    )
    await wakeWaiting(this.db, null, this.clock.now())
    this.lastBatch = Number(head?.position ?? 0)
    this.sweptAt = performance.now()
    return null
  }
}
