import { Field, ObjectType, registerEnumType } from 'type-graphql'
import { Loaded } from '../../schema/build-subgraph.ts'
import { DateTime } from '../../schema/scalars.ts'

export enum Visibility {
  VISIBLE = 'visible',
  HIDDEN_BY_EXCLUDE_LIST = 'hidden_by_exclude_list',
  HIDDEN_BY_INCLUDE_LIST = 'hidden_by_include_list',
  HIDDEN_BY_STATUS = 'hidden_by_status',
  DELETED = 'deleted',
}

registerEnumType(Visibility, {
  name: 'Visibility',
  description: 'Whether lists include a record by default. The filters of its connection can hide it.',
  valuesConfig: {
    VISIBLE: { description: 'Lists include the record.' },
    HIDDEN_BY_EXCLUDE_LIST: { description: "The connection's filters exclude the id of the record." },
    HIDDEN_BY_INCLUDE_LIST: { description: "The connection's filters include only other ids." },
    HIDDEN_BY_STATUS: { description: "The connection's filters require another status." },
    DELETED: { description: "The record was deleted from the provider's system." },
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'When Odograph stored and changed a record, and when the provider deleted it.',
})
export class EntityMetadata {
  @Field(() => DateTime, { description: 'When the record was first stored.' })
  addedAt: number

  @Field(() => DateTime, {
    description:
      'When Odograph last stored a change of the record. `modifiedAfter` and `modifiedBefore` filter by it.',
  })
  modifiedAt: number

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the provider deleted the record or no longer listed it. Null while the provider has it.',
  })
  deletedAt: number | null

  @Field(() => Visibility, { description: 'Whether lists include the record by default.' })
  @Loaded((row: FilterableRow, { fleet }: VisibilityContext) => fleet.visibilityOf(row))
  visibility?: Visibility
}

/** Columns of a fleet record that decide its visibility. */
export interface FilterableRow {
  readonly id: string
  readonly connectionId: string
  readonly deletedAt: number | null
  readonly status?: string
}

/**
 * Part of the request context from which the models load the visibility. The models cannot import the type of the
 * repository, because the repository imports the models.
 */
interface VisibilityContext {
  readonly fleet: { visibilityOf(row: FilterableRow): Visibility | Promise<Visibility> }
}
