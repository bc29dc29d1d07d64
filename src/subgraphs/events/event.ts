import { Field, ID, ObjectType } from 'type-graphql'
import type { EventRow } from '../../storage/outbox.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { nodeTypeOf } from '../../domain/record-models.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime, Json } from '../schema/scalars.ts'
import { ConnectionRef, entityRef } from '../schema/entity-references.ts'
import type { EventsContext } from './repository.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'An entry of the log: something that happened to a connection or its records.',
})
export class Event {
  @Field(() => ID, { description: 'Its evt_ id; pass the last one seen as `after` to go on from it.' })
  id: string

  @Field(() => String, {
    description: 'What happened, such as vehicle.added, by the name that it was asked for.',
  })
  type: string

  @Field(() => DateTime, { description: 'When it was stored.' })
  @Computed((entry: EventRow) => entry.occurredAt)
  timestamp?: number

  @Field(() => Json, {
    description: 'What a webhook of it carries: the record as it was then, and its connection.',
  })
  @Loaded((entry: EventRow, { events }: EventsContext) => events.detailOf(entry))
  detail?: unknown

  @Field(() => ConnectionRef, { nullable: true, description: 'The connection that it belongs to.' })
  @Computed((entry: EventRow) => entityRef(entry.connectionId))
  connection?: ConnectionRef | null

  @Field(() => Node, { nullable: true, description: 'The record that it tells of, as it is now.' })
  @Computed(({ subjectId }: EventRow) =>
    subjectId !== null && nodeTypeOf({ id: subjectId }) !== undefined ? entityRef(subjectId) : null,
  )
  subject?: Node | null
}
