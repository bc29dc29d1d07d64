import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  NumberColumn,
  PositionColumn,
} from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'

/** Row of the delivery state of an endpoint: its log position, its lease and its health. */
@Entity('webhook_progress')
@Indexes(['applicationId'], ['wakeAt'], ['awaits'])
export class WebhookProgress {
  @KeyColumn()
  endpointId: Id<'webhookEndpoint'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Up to this position, each event that the endpoint subscribes to has a delivery. */
  @PositionColumn()
  position: number

  /**
   * Id of the application while the endpoint is up to date and waits for new log entries. Null while a worker leases
   * the endpoint, and while it is disabled or behind the log.
   */
  @IdColumn({ nullable: true })
  awaits: Id<'application'> | null

  /**
   * Time at which a worker must lease the endpoint; null if nothing is due. Commands that create work set it to the
   * current time and notify `WEBHOOKS_TOPIC`. Examples are a new endpoint, an enabled one and a replay.
   */
  @InstantColumn({ nullable: true })
  wakeAt: Instant | null

  @IdColumn({ nullable: true })
  leaseOwner: string | null

  @InstantColumn({ nullable: true })
  leasedUntil: Instant | null

  /** Number of failed attempts since the last success. */
  @NumberColumn()
  failures: number

  @InstantColumn({ nullable: true })
  failingSince: Instant | null

  @InstantColumn({ nullable: true })
  lastSuccessAt: Instant | null

  @InstantColumn({ nullable: true })
  lastAttemptAt: Instant | null
}
