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

/** Result of a request to an endpoint. */
export type AttemptOutcome = (typeof WebhookAttemptOutcome)[keyof typeof WebhookAttemptOutcome]

registerEnumType(WebhookAttemptOutcome, {
  name: 'WebhookAttemptOutcome',
  description: 'Result of a request to an endpoint.',
  valuesConfig: {
    ANSWERED: { description: 'The endpoint responded, with any status.' },
    TIMED_OUT: { description: 'There was no complete response in time.' },
    UNREACHABLE: { description: 'The connection failed or broke.' },
    BLOCKED: { description: 'The address is not an allowed destination, so nothing was sent.' },
  },
})

/** Row of a delivery attempt: one request and its result. */
@Entity('webhook_attempts')
@Indexes(['deliveryId', 'id'])
@ObjectType({ simpleResolvers: true, description: 'A delivery attempt: one request and its result.' })
export class WebhookAttempt {
  @Field(() => ID, { description: 'The id of the attempt, with the prefix `wha_`.' })
  @KeyColumn()
  id: Id<'webhookAttempt'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  endpointId: Id<'webhookEndpoint'>

  @IdColumn()
  deliveryId: Id<'webhookDelivery'>

  @Field(() => Int, { description: 'Number of the attempt within its delivery, from 1.' })
  @NumberColumn()
  number: number

  @Field(() => DateTime, { description: 'When the request was sent.' })
  @InstantColumn()
  attemptedAt: Instant

  @Field(() => Int, { description: 'Duration of the attempt in milliseconds.' })
  @NumberColumn()
  durationMs: number

  @Field(() => WebhookAttemptOutcome, { description: 'Result of the request.' })
  @IdColumn()
  outcome: AttemptOutcome

  @NumberColumn({ nullable: true })
  statusCode: number | null

  @Field(() => String, {
    nullable: true,
    description: 'Error message in plain text. Null if the endpoint responded.',
  })
  @TextColumn({ nullable: true })
  error: string | null

  /** URL of the endpoint at the time of the attempt. */
  @LongTextColumn()
  url: string

  @JsonColumn()
  requestHeaders: Readonly<Record<string, string>>

  @JsonColumn({ nullable: true })
  responseHeaders: Readonly<Record<string, string>> | null

  /** First 16 KiB of the body, with secrets redacted. */
  @LongTextColumn({ nullable: true })
  responseBody: string | null
}
