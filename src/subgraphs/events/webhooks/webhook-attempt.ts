import { Entity } from 'typeorm'
import type { Id } from '../../../ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  LongTextColumn,
  NumberColumn,
  TextColumn,
} from '../../../storage/columns.ts'
import type { Instant } from '../../../time.ts'

/**
 * How a request to a receiver ended. `answered`: with a status, whatever it is; `timed_out`: not within the time;
 * `unreachable`: no connection, or one that broke; `blocked`: an address that nothing is sent to.
 */
export type AttemptOutcome = 'answered' | 'timed_out' | 'unreachable' | 'blocked'

/** One request of a delivery, and what came of it. */
@Entity('webhook_attempts')
@Indexes(['deliveryId', 'id'])
export class WebhookAttempt {
  @KeyColumn()
  id: Id<'webhookAttempt'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  endpointId: Id<'webhookEndpoint'>

  @IdColumn()
  deliveryId: Id<'webhookDelivery'>

  /** 1 for the first. */
  @NumberColumn()
  number: number

  @InstantColumn()
  attemptedAt: Instant

  @NumberColumn()
  durationMs: number

  @IdColumn()
  outcome: AttemptOutcome

  @NumberColumn({ nullable: true })
  statusCode: number | null

  /** What went wrong, in a sentence. */
  @TextColumn({ nullable: true })
  error: string | null

  @JsonColumn()
  requestHeaders: Readonly<Record<string, string>>

  @JsonColumn({ nullable: true })
  responseHeaders: Readonly<Record<string, string>> | null

  /** Its beginning. */
  @LongTextColumn({ nullable: true })
  responseBody: string | null
}
