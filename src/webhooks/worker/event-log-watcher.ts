import type { Database } from '../../storage/database.ts'
import type { Clock } from '../../domain/time.ts'
import { wakeWaiting } from './endpoint-leases.ts'

const SWEEP_MS = 60_000

/** Finds the logs that have grown, and makes due the endpoints that wait for them. */
export class EventLogWatcher {
  /** Number of the last batch that was checked. The column `turn` has the number of each log's last batch. */
  private lastBatch: number | null = null
  private sweptAt = 0

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Applications whose logs have grown since the last check. Null if any log may have grown. */
  async check(): Promise<ReadonlySet<string> | null> {
    if (this.lastBatch === null || performance.now() - this.sweptAt > SWEEP_MS) return this.sweep()
    const grown = await this.db.rows<{ applicationId: string; batchNumber: number }>(
      'SELECT `applicationId`, `turn` AS `batchNumber` FROM `log_heads` WHERE `turn` > ?',
      [this.lastBatch],
    )
    if (grown.length === 0) return new Set()
    const ids = grown.map(({ applicationId }) => applicationId)
    await wakeWaiting(this.db, ids, this.clock.now())
    this.lastBatch = Math.max(...grown.map(({ batchNumber }) => Number(batchNumber)))
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
