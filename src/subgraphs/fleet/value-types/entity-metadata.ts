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
  description: "Whether lists show a record, by the connection's filters and the source.",
  valuesConfig: {
    VISIBLE: { description: 'Lists show it.' },
    HIDDEN_BY_EXCLUDE_LIST: { description: "The connection's filters exclude its id." },
    HIDDEN_BY_INCLUDE_LIST: { description: "The connection's filters include others only." },
    HIDDEN_BY_STATUS: { description: "The connection's filters ask for another status." },
    DELETED: { description: "It is no longer in the provider's system." },
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'When this service stored, changed and lost sight of a record.',
})
export class EntityMetadata {
  @Field(() => DateTime, { description: 'When the record was first stored.' })
  addedAt: number

  @Field(() => DateTime, { description: 'When its content last changed here; lists filter by it.' })
  modifiedAt: number

  @Field(() => DateTime, { nullable: true, description: 'When the provider no longer listed it.' })
  deletedAt: number | null

  @Field(() => Visibility, { description: 'Whether lists show it.' })
  @Loaded((row: SeenRow, { fleet }: VisibilityContext) => fleet.visibilityOf(row))
  visibility?: Visibility
}

/** A record of the roster, as far as whether lists show it goes. */
export interface SeenRow {
  readonly id: string
  readonly connectionId?: string
  readonly deletedAt: number | null
  readonly status?: string
}

/** Part of the context that the models need. The whole repository imports the models. */
interface VisibilityContext {
  readonly fleet: { visibilityOf(row: SeenRow): Visibility | Promise<Visibility> }
}
