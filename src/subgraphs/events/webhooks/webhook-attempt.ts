import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
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
import { DateTime } from '../../schema/scalars.ts'

export const WebhookAttemptOutcome = {
  ANSWERED: 'answered',
  TIMED_OUT: 'timed_out',
  UNREACHABLE: 'unreachable',
  BLOCKED: 'blocked',
} as const

/** How a request to a receiver ended. */
export type AttemptOutcome = (typeof WebhookAttemptOutcome)[keyof typeof WebhookAttemptOutcome]

registerEnumType(WebhookAttemptOutcome, {
  name: 'WebhookAttemptOutcome',
  description: 'How a request to an endpoint ended.',
  valuesConfig: {
    ANSWERED: { description: 'With a status, whatever it is.' },
    TIMED_OUT: { description: 'There was no whole answer within the time.' },
    UNREACHABLE: { description: 'There was no connection, or it broke.' },
    BLOCKED: { description: 'It is an address that nothing is sent to.' },
  },
})

/** One request of a delivery, and what came of it. */
@Entity('webhook_attempts')
@Indexes(['deliveryId', 'id'])
@ObjectType({ simpleResolvers: true, description: 'One request of a delivery, and what came of it.' })
export class WebhookAttempt {
  @Field(() => ID, { description: 'Its wha_ id.' })
  @KeyColumn()
  id: Id<'webhookAttempt'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  endpointId: Id<'webhookEndpoint'>

  @IdColumn()
  deliveryId: Id<'webhookDelivery'>

  @Field(() => Int, { description: '1 for the first.' })
  @NumberColumn()
  number: number

  @Field(() => DateTime, { description: 'When it was sent.' })
  @InstantColumn()
  attemptedAt: Instant

  @Field(() => Int, { description: 'How long it took, in milliseconds.' })
  @NumberColumn()
  durationMs: number

  @Field(() => WebhookAttemptOutcome, { description: 'How it ended.' })
  @IdColumn()
  outcome: AttemptOutcome

  @NumberColumn({ nullable: true })
  statusCode: number | null

  @Field(() => String, { nullable: true, description: 'What went wrong, in a sentence.' })
  @TextColumn({ nullable: true })
  error: string | null

  /** Where the endpoint was then. */
  @LongTextColumn()
  url: string

  @JsonColumn()
  requestHeaders: Readonly<Record<string, string>>

  @JsonColumn({ nullable: true })
  responseHeaders: Readonly<Record<string, string>> | null

  /** Its beginning. */
  @LongTextColumn({ nullable: true })
  responseBody: string | null
}
