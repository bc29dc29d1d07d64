import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import type { LatestModel } from '../../domain/record-models.ts'
import { IdColumn, InstantColumn, JsonColumn, KeyColumn } from '../../storage/sql/columns.ts'
import type { Instant } from '../../domain/time.ts'

/**
 * Progress of the polls of one latest-state model of a connection: the last completed poll and the cursor of an
 * unfinished one. It commits together with the polled records.
 */
@Entity('latest_reads')
export class LatestRead {
  @KeyColumn()
  connectionId: Id<'connection'>

  @KeyColumn()
  model: LatestModel

  @IdColumn()
  applicationId: Id<'application'>

  /** End of the last completed poll; 0 before the first. */
  @InstantColumn()
  readAt: Instant

  /** Until this time, reads return the state of the last scheduled poll instead of calling the provider. */
  @InstantColumn()
  standsUntil: Instant

  /** Start of the unfinished poll; null if there is none. */
  @InstantColumn({ nullable: true })
  begunAt: Instant | null

  /** Cursor at which the unfinished poll continues. */
  @JsonColumn({ nullable: true })
  state: Readonly<Record<string, unknown>> | null
}

/** Time for which callers in all processes share the result of a poll instead of polling again. */
const SHARED_MS = 1_000

/** Whether a poll that ended at `readAt` is recent enough to serve a caller now. */
export const isShareable = (readAt: Instant, now: Instant): boolean => now - readAt < SHARED_MS
