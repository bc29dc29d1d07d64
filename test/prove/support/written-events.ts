import type { Id } from '../../../src/domain/ids.ts'
import { createRedisNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import { appendEvents, OUTBOX_TOPIC } from '../../../src/storage/outbox.ts'
import { type Origin, vehicleChange } from '../event-log/writing.ts'
import type { Home } from './service-process.ts'

/** Writes events of some connections in turn, in a process outside the service. */
export class WrittenEvents implements AsyncDisposable {
  written = 0
  private readonly notifier

  constructor(
    { environment: { REDIS_URL: redisUrl, QUEUE_PREFIX: prefix = '' } }: Home,
    private readonly db: Database,
    private readonly origins: readonly Origin[],
    /** Vehicles that change in turn; without them, each event has a vehicle that does not exist. */
    private readonly vehicleIds: readonly Id<'vehicle'>[] = [],
  ) {
    this.notifier = redisUrl === undefined ? null : createRedisNotifier({ redisUrl, prefix })
  }

  async write(events: number): Promise<void> {
    const origin = this.origins[this.written % this.origins.length] as Origin
    const changes = Array.from({ length: events }, (_, at) => {
      const number = this.written + at
      return vehicleChange(origin, 0, number, this.vehicleIds[number % this.vehicleIds.length])
    })
    await this.db.transaction((tx) => appendEvents(tx, { ...origin, at: Date.now() }, changes))
    this.written += events
    this.notifier?.notify(OUTBOX_TOPIC)
  }

  /** Returns the ids of all written events. */
  async log(): Promise<string[]> {
    const rows = await this.db.rows<{ id: string }>(
      'SELECT `id` FROM `events` WHERE `applicationId` = ? ORDER BY `position`',
      [this.origins[0]?.applicationId],
    )
    return rows.map(({ id }) => id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.notifier?.close()
  }
}
