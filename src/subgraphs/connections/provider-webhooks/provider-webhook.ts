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
 * Endpoint for the webhooks of the provider of a connection. The content of a message is not stored, only the
 * time from which a read of the connection is due. All messages before this time cause one read.
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

  /** Hash of the token at the end of the URL. The token is secret: some providers do not sign their messages. */
  @IdColumn()
  tokenHash: string

  @TextColumn()
  tokenSealed: string

  /** Signing secret of the provider; empty until it is set. */
  @LongTextColumn()
  secretSealed: string

  @InstantColumn()
  createdAt: Instant

  /** Time from which a sync is due because of a message; null if none is due. */
  @InstantColumn({ nullable: true })
  syncDueAt: Instant | null

  /** Time from which a poll is due because of a message; null if none is due. */
  @InstantColumn({ nullable: true })
  pollDueAt: Instant | null

  /** Time of the last sync that a message caused. */
  @InstantColumn({ nullable: true })
  syncedAt: Instant | null

  /** Time of the last poll that a message caused. */
  @InstantColumn({ nullable: true })
  polledAt: Instant | null
}
