import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  LongTextColumn,
  TextColumn,
} from '../../../storage/sql/columns.ts'

/** Row of a request with an idempotency key. While the request runs, its row is the claim on the key. */
@Entity('idempotency_keys')
@Indexes(['connectionId'], ['expiresAt'])
export class IdempotencyKey {
  /** Hash of the application and the key. */
  @KeyColumn()
  id: string

  @IdColumn()
  applicationId: Id<'application'>

  /** Connection of the caller, with whose data the answer is deleted. */
  @IdColumn({ nullable: true })
  connectionId: Id<'connection'> | null

  /** Random id of the run that claimed the key. */
  @IdColumn()
  owner: string

  /** HMAC of the request: a plain hash could reveal a short secret of it. */
  @TextColumn()
  fingerprint: string

  /** Encrypted answer. Null while the request runs; empty if the answer is too large to store. */
  @LongTextColumn({ nullable: true })
  answerSealed: string | null

  /** End of the lease while the request runs; then the end of the stored answer. */
  @InstantColumn()
  expiresAt: Instant
}
