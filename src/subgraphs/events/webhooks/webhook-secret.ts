import { Field, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn, LongTextColumn } from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'
import { DateTime } from '../../schema/scalars.ts'

/** Row of a signing secret of an endpoint. Messages are signed with all secrets that have not expired. */
@Entity('webhook_secrets')
@Indexes(['endpointId'])
@ObjectType({
  simpleResolvers: true,
  description: 'A signing secret of an endpoint. Its value is shown only once, when it is created.',
})
export class WebhookSecret {
  @Field(() => ID, { description: 'The id of the secret, with the prefix `whs_`.' })
  @KeyColumn()
  id: Id<'webhookSecret'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  endpointId: Id<'webhookEndpoint'>

  /** `whsec_…`, encrypted. */
  @LongTextColumn()
  secretSealed: string

  @Field(() => DateTime, { description: 'When the secret was created.' })
  @InstantColumn()
  createdAt: Instant

  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when messages are signed with it. Null for the newest secret; a rotation sets it.',
  })
  @InstantColumn({ nullable: true })
  expiresAt: Instant | null
}
