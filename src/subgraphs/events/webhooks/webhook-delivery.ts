import { Entity } from 'typeorm'
import type { Id } from '../../../ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  LongTextColumn,
  NumberColumn,
  Unique,
} from '../../../storage/columns.ts'
import type { Instant } from '../../../time.ts'

/** `failed`: no further attempt will be made; `cancelled`: nobody wants it any more. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled'

/** One event for one endpoint. There is no row yet for the events after the endpoint's position in the log. */
@Entity('webhook_deliveries')
@Unique('endpointId', 'eventId')
@Indexes(['endpointId', 'id'], ['endpointId', 'status', 'nextAttemptAt'])
export class WebhookDelivery {
  @KeyColumn()
  id: Id<'webhookDelivery'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn({ nullable: true })
  connectionId: Id<'connection'> | null

  @IdColumn()
  endpointId: Id<'webhookEndpoint'>

  @IdColumn()
  eventId: Id<'event'>

  /** Of its event in the log; null for a test, which is not in the log. */
  @InstantColumn({ nullable: true })
  position: number | null

  /** The record that its event tells of. */
  @IdColumn({ nullable: true })
  resourceId: string | null

  /** By the name that the endpoint asked for. */
  @IdColumn()
  type: string

  @IdColumn()
  status: DeliveryStatus

  /** How many attempts there were. */
  @NumberColumn()
  attempts: number

  /** Null where none follows, or where an earlier event of the same record is waited for. */
  @InstantColumn({ nullable: true })
  nextAttemptAt: Instant | null

  @InstantColumn({ nullable: true })
  lastAttemptAt: Instant | null

  @NumberColumn({ nullable: true })
  lastStatusCode: number | null

  /** Of a test; all others are made of the log. */
  @LongTextColumn({ nullable: true })
  body: string | null

  @InstantColumn()
  createdAt: Instant
}
