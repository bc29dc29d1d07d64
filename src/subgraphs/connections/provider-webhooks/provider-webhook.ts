import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  LongTextColumn,
  TextColumn,
  Unique,
} from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'

/**
 * Where the provider of a connection tells that there is something new. What it tells is not kept: only that the
 * connection is to be read, and from when on, so that any number of messages makes one reading.
 */
@Entity('provider_webhooks')
@Unique('connectionId')
@Unique('tokenHash')
@Indexes(['syncDueAt'], ['pollDueAt'])
export class ProviderWebhook {
  @KeyColumn()
  id: Id<'providerWebhook'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  /** What stands at the end of its address, and is known to the provider alone. */
  @IdColumn()
  tokenHash: string

  @TextColumn()
  tokenSealed: string

  /** What the provider signs with; empty until it is given. */
  @LongTextColumn()
  secretSealed: string

  @InstantColumn()
  createdAt: Instant

  /** From when on a sync is due, and a poll; null where none is. */
  @InstantColumn({ nullable: true })
  syncDueAt: Instant | null

  @InstantColumn({ nullable: true })
  pollDueAt: Instant | null

  /** When it last led to a sync, and to a poll. */
  @InstantColumn({ nullable: true })
  syncedAt: Instant | null

  @InstantColumn({ nullable: true })
  polledAt: Instant | null
}
