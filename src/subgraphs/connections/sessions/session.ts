import { Entity } from 'typeorm'
import type { Id } from '../../../ids.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, KeyColumn } from '../../../storage/columns.ts'
import type { Instant } from '../../../time.ts'

/** What a browser may read for a while, with a token that its integrator's server has asked for. */
@Entity('sessions')
@Indexes(['applicationId', 'id'], ['expiresAt'])
export class Session {
  @KeyColumn()
  id: Id<'session'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Those that it may read; every one of the application where it is null. */
  @JsonColumn({ nullable: true })
  connectionIds: Id<'connection'>[] | null

  @JsonColumn()
  scopes: string[]

  @InstantColumn()
  createdAt: Instant

  @InstantColumn()
  expiresAt: Instant

  @InstantColumn({ nullable: true })
  revokedAt: Instant | null
}
