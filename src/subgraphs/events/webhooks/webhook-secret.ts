import { Entity } from 'typeorm'
import type { Id } from '../../../ids.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn, LongTextColumn } from '../../../storage/columns.ts'
import type { Instant } from '../../../time.ts'

/** What an endpoint's messages are signed with: with every secret that has not expired. */
@Entity('webhook_secrets')
@Indexes(['endpointId'])
export class WebhookSecret {
  @KeyColumn()
  id: Id<'webhookSecret'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  endpointId: Id<'webhookEndpoint'>

  /** `whsec_…`, sealed for this row's id. */
  @LongTextColumn()
  secretSealed: string

  @InstantColumn()
  createdAt: Instant

  /** Null for the newest; a rotation gives the one before it an end. */
  @InstantColumn({ nullable: true })
  expiresAt: Instant | null
}
