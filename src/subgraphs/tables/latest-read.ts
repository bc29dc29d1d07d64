import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import type { LatestModel } from '../../domain/record-models.ts'
import { IdColumn, InstantColumn, JsonColumn, KeyColumn } from '../../storage/sql/columns.ts'
import type { Instant } from '../../domain/time.ts'

/**
 * When a connection's provider was last asked to the end for what is only of now, and how far it has been asked again
 * since. It commits with what was read.
 */
@Entity('latest_reads')
export class LatestRead {
  @KeyColumn()
  connectionId: Id<'connection'>

  @KeyColumn()
  model: LatestModel

  @IdColumn()
  applicationId: Id<'application'>

  @InstantColumn()
  readAt: Instant

  /** Until then managed polling answers for the provider: its next poll but one is overdue afterwards. */
  @InstantColumn()
  standsUntil: Instant

  /** When a reading began that is not at its end yet; null where there is none. */
  @InstantColumn({ nullable: true })
  begunAt: Instant | null

  /** Where that reading goes on. */
  @JsonColumn({ nullable: true })
  state: Readonly<Record<string, unknown>> | null
}

/** Callers that come this soon after one another share what one of them asked for, in whichever processes. */
const SHARED_MS = 1_000

/** Whether what was read then need not be read again for somebody who asks now. */
export const isShareable = (readAt: Instant, now: Instant): boolean => now - readAt < SHARED_MS
