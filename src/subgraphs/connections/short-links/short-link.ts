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

/** Short link to the link pages, with the settings of its runs. */
@Entity('short_links')
@Unique('code')
@Indexes(['applicationId', 'bodyHash'], ['expiresAt'])
@ObjectType({
  simpleResolvers: true,
  description:
    'A short link to the link pages. Its URL contains only a code: it neither shows nor changes the settings.',
})
export class ShortLink {
  @Field(() => ID, { description: 'The id, which begins with slk_.' })
  @KeyColumn()
  id: Id<'shortLink'>

  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => String, {
    description: 'The code at the end of its URL: eight of the characters a-h, j, k, m, n, p-z and 2-9.',
  })
  @IdColumn()
  code: string

  /** Hash of the settings. `createShortLink` finds a link with the same settings by it. */
  @IdColumn()
  bodyHash: string

  @JsonColumn()
  settings: LinkSettings

  @Field(() => DateTime, { description: 'When the short link was created.' })
  @InstantColumn()
  createdAt: Instant

  @Field(() => DateTime, { description: 'When the short link expires: a year after its creation.' })
  @InstantColumn()
  expiresAt: Instant

  @InstantColumn({ nullable: true })
  deletedAt: Instant | null
}
