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
  PositionColumn,
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
  description: 'Status of the delivery of an event to an endpoint.',
  valuesConfig: {
    PENDING: { description: 'The delivery is due, or waits for a retry or for an earlier event.' },
    DELIVERED: { description: 'The endpoint responded with a 2xx status.' },
    FAILED: { description: 'All attempts failed. Only a replay or a recovery sends it again.' },
    CANCELLED: { description: 'The event is no longer to be sent.' },
  },
})

/** Row of the delivery of one event to one endpoint. Events after the endpoint's log position have no row yet. */
@Entity('webhook_deliveries')
@Unique('endpointId', 'eventId')
@Indexes(
  ['endpointId', 'id'],
  ['endpointId', 'status', 'nextAttemptAt', 'resourceId', 'position'],
  ['connectionId'],
)
@ObjectType({ simpleResolvers: true, description: 'The delivery of one event to one endpoint.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'The id of the delivery, with the prefix `whd_`.' })
  @KeyColumn()
  id: Id<'webhookDelivery'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn({ nullable: true })
  connectionId: Id<'connection'> | null

  @Field(() => ID, { description: 'The id of the endpoint.' })
  @IdColumn()
  endpointId: Id<'webhookEndpoint'>

  @Field(() => ID, { description: 'The id of the event. It is the `webhook-id` of each message.' })
  @IdColumn()
  eventId: Id<'event'>

  /** Log position of the event; null for a test event, which is not in the log. */
  @PositionColumn({ nullable: true })
  position: number | null

  /** Id of the record that the event is about. */
  @IdColumn({ nullable: true })
  resourceId: string | null

  @Field(() => String, {
    description: 'The event type, by the name or alias to which the endpoint subscribes.',
  })
  @IdColumn()
  type: string

  @Field(() => WebhookDeliveryStatus, { description: 'Status of the delivery.' })
  @IdColumn()
  status: DeliveryStatus

  /** Number of attempts so far. */
  @NumberColumn()
  attempts: number

  @Field(() => Int, { description: 'Number of attempts so far.' })
  @Computed(({ attempts }: WebhookDelivery) => attempts)
  attemptCount?: number

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the next attempt is due. Null if none follows, or if the delivery waits for an earlier event of its record.',
  })
  @InstantColumn({ nullable: true })
  nextAttemptAt: Instant | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the last attempt was made. Null before the first.',
  })
  @InstantColumn({ nullable: true })
  lastAttemptAt: Instant | null

  @Field(() => Int, {
    nullable: true,
    description: 'HTTP status of the last attempt. Null if it had no response, or before the first attempt.',
  })
  @NumberColumn({ nullable: true })
  lastStatusCode: number | null

  /** Number of replays. A changed number shows that an attempt in flight began before a replay. */
  @NumberColumn()
  replays: number

  /** Body of a test event; null for all others, whose body is built from the log. */
  @LongTextColumn({ nullable: true })
  body: string | null

  @Field(() => DateTime, { description: 'When the delivery was created.' })
  @InstantColumn()
  createdAt: Instant
}
