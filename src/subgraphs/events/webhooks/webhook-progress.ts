import { Entity } from 'typeorm'
import type { Id } from '../../../ids.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn, NumberColumn } from '../../../storage/columns.ts'
import type { Instant } from '../../../time.ts'

/** How far the log is delivered to an endpoint, and which worker is at it. */
@Entity('webhook_progress')
@Indexes(['applicationId'], ['wakeAt'])
export class WebhookProgress {
  @KeyColumn()
  endpointId: Id<'webhookEndpoint'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Every event up to this position has a delivery where the endpoint wants it. */
  @InstantColumn()
  position: number

  /** When the first of its pending deliveries is due; null where none is pending. */
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
}
