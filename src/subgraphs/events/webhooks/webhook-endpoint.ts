import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  LongTextColumn,
  NumberColumn,
  TextColumn,
} from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { DateTime } from '../../schema/scalars.ts'

/** Reason why an endpoint is disabled. */
export const WebhookDisabledReason = { ASKED: 'asked', FAILING: 'failing', GONE: 'gone' } as const

export type DisabledReason = (typeof WebhookDisabledReason)[keyof typeof WebhookDisabledReason]

registerEnumType(WebhookDisabledReason, {
  name: 'WebhookDisabledReason',
  description: 'The reason why an endpoint is disabled.',
  valuesConfig: {
    ASKED: { description: 'A caller disabled it.' },
    FAILING: { description: 'It accepted no message for five days.' },
    GONE: { description: 'It responded with 410 Gone.' },
  },
})

export const WebhookOrdering = { NONE: 'none', RESOURCE: 'resource' } as const

export type Ordering = (typeof WebhookOrdering)[keyof typeof WebhookOrdering]

registerEnumType(WebhookOrdering, {
  name: 'WebhookOrdering',
  description: 'The order in which an endpoint receives events.',
  valuesConfig: {
    NONE: { description: 'Events are sent in log order, but a retried event can arrive after later ones.' },
    RESOURCE: {
      description:
        'An event waits until the previous event of the same record is delivered or has used up its attempts.',
    },
  },
})

export const WebhookEndpointStatus = { ENABLED: 'enabled', DISABLED: 'disabled' } as const

type EndpointStatus = (typeof WebhookEndpointStatus)[keyof typeof WebhookEndpointStatus]

registerEnumType(WebhookEndpointStatus, {
  name: 'WebhookEndpointStatus',
  description: 'Whether events are sent to an endpoint.',
  valuesConfig: {
    ENABLED: { description: 'Events are sent.' },
    DISABLED: { description: 'No events are sent. They stay in the log until the endpoint is enabled.' },
  },
})

/** Row of a webhook endpoint. */
@Entity('webhook_endpoints')
@Indexes(['applicationId', 'id'])
@ObjectType({
  simpleResolvers: true,
  description: 'A webhook endpoint: a URL, and the events that are sent to it.',
})
export class WebhookEndpoint {
  @Field(() => ID, { description: 'The id of the endpoint, with the prefix `whe_`.' })
  @KeyColumn()
  id: Id<'webhookEndpoint'>

  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => String, { description: 'The URL to which events are posted.' })
  @LongTextColumn()
  url: string

  @Field(() => String, { nullable: true, description: 'Free text of the caller.' })
  @TextColumn({ nullable: true })
  description: string | null

  @Field(() => [String], {
    description: 'The requested event types or aliases. `*` stands for all types that are not opt-in.',
  })
  @JsonColumn()
  types: string[]

  @Field(() => [ID], {
    nullable: true,
    description: 'Only events of these connections. Null stands for all connections.',
  })
  @JsonColumn({ nullable: true })
  connectionIds: string[] | null

  @Field(() => [String], {
    nullable: true,
    description: 'Only events of connections that have one of these tags. Null stands for all connections.',
  })
  @JsonColumn({ nullable: true })
  tags: string[] | null

  @Field(() => WebhookOrdering, { description: 'The order in which events are sent.' })
  @IdColumn()
  ordering: Ordering

  @Field(() => Int, { description: 'Maximum number of concurrent requests.' })
  @NumberColumn()
  concurrency: number

  @Field(() => Float, {
    nullable: true,
    description: 'Maximum number of requests per second. Null for no limit.',
  })
  @NumberColumn({ nullable: true })
  ratePerSecond: number | null

  @Field(() => [Int], {
    nullable: true,
    description: 'The wait before each further attempt, in seconds. Null for the default schedule.',
  })
  @JsonColumn({ nullable: true })
  retrySeconds: number[] | null

  /** Custom headers of the endpoint, encrypted. Null if it has none. */
  @LongTextColumn({ nullable: true })
  headersSealed: string | null

  @Field(() => WebhookEndpointStatus, { description: 'Whether events are sent to it.' })
  @Computed(({ disabledAt }: WebhookEndpoint): EndpointStatus =>
    disabledAt === null ? 'enabled' : 'disabled',
  )
  status?: EndpointStatus

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the endpoint was disabled. Null while it is enabled.',
  })
  @InstantColumn({ nullable: true })
  disabledAt: Instant | null

  @Field(() => WebhookDisabledReason, {
    nullable: true,
    description: 'The reason why the endpoint is disabled. Null while it is enabled.',
  })
  @IdColumn({ nullable: true })
  disabledReason: DisabledReason | null

  @Field(() => DateTime, { description: 'When the endpoint was created.' })
  @InstantColumn()
  createdAt: Instant

  @Field(() => DateTime, { description: 'When the endpoint was last changed.' })
  @InstantColumn()
  modifiedAt: Instant
}
