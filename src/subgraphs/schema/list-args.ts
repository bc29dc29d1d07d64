import { ArgsType, Field } from 'type-graphql'
import { atLeast, before, type Where } from '../../storage/sql/where.ts'
import { PageArgs } from './page-types.ts'
import { DateTime } from './scalars.ts'

/** Reads by ingestion time (interface 4.16): both bounds are of `metadata.modifiedAt`. */
@ArgsType()
export class ModifiedArgs extends PageArgs {
  @Field(() => DateTime, {
    nullable: true,
    description: 'Only what was modified here at or after this moment.',
  })
  modifiedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only what was modified here before this moment.' })
  modifiedBefore?: number | null
}

@ArgsType()
export class EntityArgs extends ModifiedArgs {
  @Field(() => Boolean, {
    defaultValue: false,
    description: "Also what is no longer in the provider's system.",
  })
  deleted: boolean
}

export const modifiedWithin = ({ modifiedAfter, modifiedBefore }: ModifiedArgs): (Where | null)[] => [
  atLeast('modifiedAt', modifiedAfter),
  before('modifiedAt', modifiedBefore),
]

export const unlessDeleted = ({ deleted }: EntityArgs): Where | null =>
  deleted ? null : { sql: '`deletedAt` IS NULL', parameters: [] }

export const filtersByModified = ({ modifiedAfter, modifiedBefore }: ModifiedArgs): boolean =>
  modifiedAfter != null || modifiedBefore != null
