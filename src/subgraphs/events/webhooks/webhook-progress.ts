import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn, NumberColumn } from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'

/** How far the log is delivered to an endpoint, and which worker is at it. */
@Entity('webhook_progress')
@Indexes(['applicationId'], ['wakeAt'], ['awaits'])
export class WebhookProgress {
  @KeyColumn()
  endpointId: Id<'webhookEndpoint'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Every event up to this position has a delivery where the endpoint wants it. */
  @InstantColumn()
  position: number

  /**
   * Its application, while the endpoint has been told all and waits for the log to grow; null while a worker has it,
   * or it is disabled, or fails.
   */
  @IdColumn({ nullable: true })
  awaits: Id<'application'> | null

  /**
   * When a worker is to look at it: whoever changes something of it that concerns a worker (a new endpoint, one that
   * is enabled, a delivery to be made again) writes the present here and rings. Null where nothing is to be done.
   */
  @InstantColumn({ nullable: true })
  wakeAt: Instant | null

  @IdColumn({ nullable: true })
  leaseOwner: string | null

  @InstantColumn({ nullable: true })
  leasedUntil: Instant | null

  /** Attempts that failed since the last one that did not. */
  @NumberColumn()
  failures: number

  @InstantColumn({ nullable: true })
  failingSince: Instant | null

  @InstantColumn({ nullable: true })
  lastSuccessAt: Instant | null

  @InstantColumn({ nullable: true })
  lastAttemptAt: Instant | null
}
