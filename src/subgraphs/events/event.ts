import { Field, ID, ObjectType } from 'type-graphql'
import type { LogEntry } from '../../storage/outbox.ts'
import { From, Through } from '../define.ts'
import { nodeTypeOf } from '../../models.ts'
import { Node } from '../node.ts'
import { DateTime, Json } from '../scalars.ts'
import { ConnectionMention, mention } from '../stubs.ts'
import type { EventsContext } from './reads.ts'

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
  @From((entry: LogEntry) => entry.occurredAt)
  timestamp?: number

  @Field(() => Json, {
    description: 'What a webhook of it carries: the record as it was then, and its connection.',
  })
  @Through((entry: LogEntry, { events }: EventsContext) => events.detailOf(entry))
  detail?: unknown

  @Field(() => ConnectionMention, { nullable: true, description: 'The connection that it belongs to.' })
  @From((entry: LogEntry) => mention(entry.connectionId))
  connection?: ConnectionMention | null

  @Field(() => Node, { nullable: true, description: 'The record that it tells of, as it is now.' })
  @From(({ subjectId }: LogEntry) =>
    subjectId !== null && nodeTypeOf({ id: subjectId }) !== undefined ? mention(subjectId) : null,
  )
  subject?: Node | null
}
