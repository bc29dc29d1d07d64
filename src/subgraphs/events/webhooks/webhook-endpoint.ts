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

/** Why nothing is sent to an endpoint: somebody said so, it failed for days, or it answered 410 Gone. */
export type DisabledReason = 'asked' | 'failing' | 'gone'

/** Where events are sent to, and which. */
@Entity('webhook_endpoints')
@Indexes(['applicationId', 'id'])
export class WebhookEndpoint {
  @KeyColumn()
  id: Id<'webhookEndpoint'>

  @IdColumn()
  applicationId: Id<'application'>

  @LongTextColumn()
  url: string

  @TextColumn({ nullable: true })
  description: string | null

  /** As they were asked for: names, aliases, or `*`. */
  @JsonColumn()
  types: string[]

  /** Events of these connections only; of all where it is null. */
  @JsonColumn({ nullable: true })
  connectionIds: string[] | null

  /** Events of connections that have one of these tags only; of all where it is null. */
  @JsonColumn({ nullable: true })
  tags: string[] | null

  /** `resource`: no event of a record is sent before the one before it has arrived or was given up. */
  @IdColumn()
  ordering: 'none' | 'resource'

  /** How many messages are under way at once. */
  @NumberColumn()
  concurrency: number

  @NumberColumn({ nullable: true })
  ratePerSecond: number | null

  /** The waits before each further attempt, in seconds; the service's own where it is null. */
  @JsonColumn({ nullable: true })
  retrySeconds: number[] | null

  @InstantColumn({ nullable: true })
  disabledAt: Instant | null

  @IdColumn({ nullable: true })
  disabledReason: DisabledReason | null

  @InstantColumn()
  createdAt: Instant

  @InstantColumn()
  modifiedAt: Instant
}
