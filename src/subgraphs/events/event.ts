import { Field, ID, ObjectType } from 'type-graphql'
import type { EventRow } from '../../storage/outbox.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { nodeTypeOf } from '../../domain/record-models.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime, Json } from '../schema/scalars.ts'
import { entityRef, type EntityRef, entityStub } from '../schema/entity-references.ts'
import { EventTypeEnum } from './event-type-enum.ts'
import { storedType } from './event-types.ts'
import type { EventsContext } from './repository.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'An entry of the event log: a change of a connection or of its records.',
})
export class Event {
  @Field(() => ID, {
    description:
      'The id of the event, with the prefix `evt_`. Pass it as `after` to resume after this event.',
  })
  id: string

  @Field(() => String, {
    description: 'The type, such as vehicle.added, by the name that the client requested.',
  })
  type: string

  @Field(() => EventTypeEnum, {
    nullable: true,
    description:
      'The type, whatever its name in the request. Null if a newer version of Odograph wrote the event and this one does not know its type.',
  })
  @Computed(({ type }: EventRow) => storedType(type))
  kind?: string | null

  @Field(() => DateTime, { description: 'When the event was stored.' })
  @Computed((entry: EventRow) => entry.occurredAt)
  timestamp?: number

  @Field(() => Json, {
    description: 'The detail that webhooks deliver: the record at the time of the event, and its connection.',
  })
  @Loaded((entry: EventRow, { events }: EventsContext) => events.detailOf(entry))
  detail?: unknown

  @Field(() => entityStub('Connection'), { nullable: true, description: 'The connection of the event.' })
  @Computed((entry: EventRow) => entityRef(entry.connectionId))
  connection?: EntityRef | null

  @Field(() => Node, {
    nullable: true,
    description:
      'The changed record in its current state. Null if the event has none or it no longer exists.',
  })
  @Computed(({ subjectId }: EventRow) =>
    subjectId !== null && nodeTypeOf({ id: subjectId }) !== undefined ? entityRef(subjectId) : null,
  )
  subject?: Node | null
}
