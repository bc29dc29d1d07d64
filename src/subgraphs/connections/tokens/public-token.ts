import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn } from '../../../storage/sql/columns.ts'

/** One-time token at the end of a link run. Its exchange returns the connection to the integrator. */
@Entity('public_tokens')
@Indexes(['connectionId'])
export class PublicToken {
  @KeyColumn()
  hash: string

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @InstantColumn()
  createdAt: number

  @InstantColumn()
  expiresAt: number

  @InstantColumn({ nullable: true })
  spentAt: number | null
}
