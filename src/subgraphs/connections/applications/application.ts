import { Entity } from 'typeorm'
import type { Environment } from '../../../auth/keys.ts'
import type { Id } from '../../../ids.ts'
import { IdColumn, InstantColumn, KeyColumn, TextColumn, Unique } from '../../../storage/columns.ts'

/** The integrator's tenant. */
@Entity('applications')
export class Application {
  @KeyColumn()
  id: Id<'application'>

  @TextColumn()
  name: string

  @IdColumn()
  environment: Environment

  @InstantColumn()
  createdAt: number

  /** The newest stamp that a record of its connections was given; see `open-writes.ts`. */
  @InstantColumn({ nullable: true, hidden: true })
  clock?: number | null
}

/** A secret or publishable key of an application; several live at once, each found by its hash. */
@Entity('api_keys')
@Unique('hash')
export class ApiKey {
  @KeyColumn()
  id: Id<'key'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  use: 'secret' | 'publishable'

  @IdColumn()
  hash: string

  /** The last four characters, to tell keys apart in a list. */
  @IdColumn()
  hint: string

  /** A publishable key itself, which stands in links; of a secret key nothing but the hash is stored. */
  @TextColumn({ nullable: true })
  publishable: string | null

  @InstantColumn()
  createdAt: number

  @InstantColumn({ nullable: true })
  revokedAt: number | null
}
