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

/** Why nothing is sent to an endpoint. */
export const WebhookDisabledReason = { ASKED: 'asked', FAILING: 'failing', GONE: 'gone' } as const

export type DisabledReason = (typeof WebhookDisabledReason)[keyof typeof WebhookDisabledReason]

registerEnumType(WebhookDisabledReason, {
  name: 'WebhookDisabledReason',
  description: 'Why nothing is sent to an endpoint.',
  valuesConfig: {
    ASKED: { description: 'Somebody disabled it.' },
    FAILING: { description: 'It took nothing for days.' },
    GONE: { description: 'It answered 410 Gone.' },
  },
})

export const WebhookOrdering = { NONE: 'none', RESOURCE: 'resource' } as const

export type Ordering = (typeof WebhookOrdering)[keyof typeof WebhookOrdering]

registerEnumType(WebhookOrdering, {
  name: 'WebhookOrdering',
  description: 'In which order the events of an endpoint arrive.',
  valuesConfig: {
    NONE: { description: 'As they happened, but an event that is tried again comes after later ones.' },
    RESOURCE: {
      description: 'No event of a record is sent before the one before it has arrived or was given up.',
    },
  },
})

export const WebhookEndpointStatus = { ENABLED: 'enabled', DISABLED: 'disabled' } as const

type EndpointStatus = (typeof WebhookEndpointStatus)[keyof typeof WebhookEndpointStatus]

registerEnumType(WebhookEndpointStatus, {
  name: 'WebhookEndpointStatus',
  description: 'Whether events are sent to an endpoint.',
  valuesConfig: {
    ENABLED: { description: 'They are.' },
    DISABLED: { description: 'They are not; they wait until it is enabled again.' },
  },
})

/** Where events are sent to, and which. */
@Entity('webhook_endpoints')
@Indexes(['applicationId', 'id'])
@ObjectType({ simpleResolvers: true, description: 'Where events are sent to, and which.' })
export class WebhookEndpoint {
  @Field(() => ID, { description: 'Its whe_ id.' })
  @KeyColumn()
  id: Id<'webhookEndpoint'>

  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => String, { description: 'Where events are posted to.' })
  @LongTextColumn()
  url: string

  @Field(() => String, { nullable: true, description: "The caller's own words for it." })
  @TextColumn({ nullable: true })
  description: string | null

  @Field(() => [String], {
    description:
      'Which types of event it wants, as they were asked for; `*` is every one that is not opt-in.',
  })
  @JsonColumn()
  types: string[]

  @Field(() => [ID], {
    nullable: true,
    description: 'Events of these connections only; of all where it is null.',
  })
  @JsonColumn({ nullable: true })
  connectionIds: string[] | null

  @Field(() => [String], {
    nullable: true,
    description: 'Events of connections that have one of these tags only; of all where it is null.',
  })
  @JsonColumn({ nullable: true })
  tags: string[] | null

  @Field(() => WebhookOrdering, { description: 'In which order events arrive.' })
  @IdColumn()
  ordering: Ordering

  @Field(() => Int, { description: 'How many requests may be under way at once.' })
  @NumberColumn()
  concurrency: number

  @Field(() => Float, { nullable: true, description: 'How many requests a second at most.' })
  @NumberColumn({ nullable: true })
  ratePerSecond: number | null

  @Field(() => [Int], {
    nullable: true,
    description: "The waits before each further attempt, in seconds; the service's own where it is null.",
  })
  @JsonColumn({ nullable: true })
  retrySeconds: number[] | null

  @Field(() => WebhookEndpointStatus, { description: 'Whether events are sent to it.' })
  @Computed(({ disabledAt }: WebhookEndpoint): EndpointStatus =>
    disabledAt === null ? 'enabled' : 'disabled',
  )
  status?: EndpointStatus

  @Field(() => DateTime, { nullable: true, description: 'Since when nothing is sent to it.' })
  @InstantColumn({ nullable: true })
  disabledAt: Instant | null

  @Field(() => WebhookDisabledReason, { nullable: true, description: 'Why nothing is sent to it.' })
  @IdColumn({ nullable: true })
  disabledReason: DisabledReason | null

  @Field(() => DateTime, { description: 'When it was made.' })
  @InstantColumn()
  createdAt: Instant

  @Field(() => DateTime, { description: 'When it was last changed.' })
  @InstantColumn()
  modifiedAt: Instant
}
