import { ArgsType, Field } from 'type-graphql'
import { atLeast, before, type Where } from '../../storage/sql/where.ts'
import { PageArgs } from './page-types.ts'
import { DateTime } from './scalars.ts'

/** Arguments that filter a list by `metadata.modifiedAt`: when Odograph stored the last change of the record. */
@ArgsType()
export class ModifiedArgs extends PageArgs {
  @Field(() => DateTime, {
    nullable: true,
    description: 'Only records with `metadata.modifiedAt` at or after this time.',
  })
  modifiedAfter?: number | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Only records with `metadata.modifiedAt` before this time.',
  })
  modifiedBefore?: number | null
}

@ArgsType()
export class EntityArgs extends ModifiedArgs {
  @Field(() => Boolean, {
    defaultValue: false,
    description: "Whether to include records that were deleted from the provider's system.",
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
