import type { Database } from '../../storage/database.ts'
import type { Clock } from '../../domain/time.ts'
import { wakeWaiting } from './endpoint-leases.ts'

const SWEEP_MS = 60_000

/** Finds out which logs have grown, and has the endpoints looked at that wait for that. */
export class EventLogWatcher {
  private turn: number | null = null
  private sweptAt = 0

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** The applications whose logs have grown since the last look; null where it may be any. */
  async check(): Promise<ReadonlySet<string> | null> {
    if (this.turn === null || performance.now() - this.sweptAt > SWEEP_MS) return this.sweep()
    const grown = await this.db.rows<{ applicationId: string; turn: number }>(
      'SELECT `applicationId`, `turn` FROM `log_heads` WHERE `turn` > ?',
      [this.turn],
    )
    if (grown.length === 0) return new Set()
    const ids = grown.map(({ applicationId }) => applicationId)
    await wakeWaiting(this.db, ids, this.clock.now())
    this.turn = Math.max(...grown.map(({ turn }) => Number(turn)))
    return new Set(ids)
  }

  /** All of them: a worker may have died between its looks. */
  private async sweep(): Promise<null> {
    const [head] = await this.db.rows<{ position: number }>(
      "SELECT `position` FROM `log_heads` WHERE `applicationId` = ''",
    )
    await wakeWaiting(this.db, null, this.clock.now())
    this.turn = Number(head?.position ?? 0)
    this.sweptAt = performance.now()
    return null
  }
}
