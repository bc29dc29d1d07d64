import { Field, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  Unique,
} from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'
import { DateTime } from '../../schema/scalars.ts'
import type { LinkSettings } from '../linking/link-run.ts'

/** A short address of the link pages, with the settings that its runs have. */
@Entity('short_links')
@Unique('code')
@Indexes(['applicationId', 'bodyHash'], ['expiresAt'])
@ObjectType({
  simpleResolvers: true,
  description: 'A short address of the link pages, whose settings nobody sees or changes on the way.',
})
export class ShortLink {
  @Field(() => ID, { description: 'Its slk_ id.' })
  @KeyColumn()
  id: Id<'shortLink'>

  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => String, {
    description:
      'What stands at the end of its address: eight of the characters a-h, j, k, m, n, p-z and 2-9.',
  })
  @IdColumn()
  code: string

  /** Of what was asked for: who asks for the same gets the same. */
  @IdColumn()
  bodyHash: string

  @JsonColumn()
  settings: LinkSettings

  @Field(() => DateTime, { description: 'When it was made.' })
  @InstantColumn()
  createdAt: Instant

  @Field(() => DateTime, { description: 'When it ends by itself: a year after it was made.' })
  @InstantColumn()
  expiresAt: Instant

  @InstantColumn({ nullable: true })
  deletedAt: Instant | null
}
