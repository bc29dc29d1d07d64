import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  LongTextColumn,
  NumberColumn,
  Unique,
} from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { DateTime } from '../../schema/scalars.ts'

export const WebhookDeliveryStatus = {
  PENDING: 'pending',
  DELIVERED: 'delivered',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
} as const

export type DeliveryStatus = (typeof WebhookDeliveryStatus)[keyof typeof WebhookDeliveryStatus]

registerEnumType(WebhookDeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'How far an event has come on its way to an endpoint.',
  valuesConfig: {
    PENDING: { description: 'It is sent, or sent again, when its time comes.' },
    DELIVERED: { description: 'The endpoint has taken it.' },
    FAILED: { description: 'No further attempt will be made by itself.' },
    CANCELLED: { description: 'Nobody wants it any more.' },
  },
})

/** One event for one endpoint. There is no row yet for the events after the endpoint's position in the log. */
@Entity('webhook_deliveries')
@Unique('endpointId', 'eventId')
@Indexes(
  ['endpointId', 'id'],
  ['endpointId', 'status', 'nextAttemptAt', 'resourceId', 'position'],
  ['connectionId'],
)
@ObjectType({ simpleResolvers: true, description: 'One event for one endpoint.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'Its whd_ id.' })
  @KeyColumn()
  id: Id<'webhookDelivery'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn({ nullable: true })
  connectionId: Id<'connection'> | null

  @Field(() => ID, { description: 'The endpoint that it is for.' })
  @IdColumn()
  endpointId: Id<'webhookEndpoint'>

  @Field(() => ID, { description: 'The id of the event, which each of its messages carries.' })
  @IdColumn()
  eventId: Id<'event'>

  /** Of its event in the log; null for a test, which is not in the log. */
  @InstantColumn({ nullable: true })
  position: number | null

  /** The record that its event tells of. */
  @IdColumn({ nullable: true })
  resourceId: string | null

  @Field(() => String, { description: 'What happened, by the name that the endpoint asked for.' })
  @IdColumn()
  type: string

  @Field(() => WebhookDeliveryStatus, { description: 'How far it has come.' })
  @IdColumn()
  status: DeliveryStatus

  /** How many there were. */
  @NumberColumn()
  attempts: number

  @Field(() => Int, { description: 'How many attempts there were.' })
  @Computed(({ attempts }: WebhookDelivery) => attempts)
  attemptCount?: number

  @Field(() => DateTime, {
    nullable: true,
    description: 'Null where none follows, or where an earlier event of the same record is waited for.',
  })
  @InstantColumn({ nullable: true })
  nextAttemptAt: Instant | null

  @Field(() => DateTime, { nullable: true, description: 'When it was last sent.' })
  @InstantColumn({ nullable: true })
  lastAttemptAt: Instant | null

  @Field(() => Int, { nullable: true, description: 'What the endpoint last answered.' })
  @NumberColumn({ nullable: true })
  lastStatusCode: number | null

  /** Of a test; all others are made of the log. */
  @LongTextColumn({ nullable: true })
  body: string | null

  @Field(() => DateTime, { description: 'When it was first due.' })
  @InstantColumn()
  createdAt: Instant
}
