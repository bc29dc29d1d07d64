import { Field, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn, LongTextColumn } from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'
import { DateTime } from '../../schema/scalars.ts'

/** What an endpoint's messages are signed with: with every secret that has not expired. */
@Entity('webhook_secrets')
@Indexes(['endpointId'])
@ObjectType({
  simpleResolvers: true,
  description: 'That there is a secret which messages of an endpoint are signed with. It is shown once only.',
})
export class WebhookSecret {
  @Field(() => ID, { description: 'Its whs_ id.' })
  @KeyColumn()
  id: Id<'webhookSecret'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  endpointId: Id<'webhookEndpoint'>

  /** `whsec_…`, sealed. */
  @LongTextColumn()
  secretSealed: string

  @Field(() => DateTime, { description: 'When it was made.' })
  @InstantColumn()
  createdAt: Instant

  /** Null for the newest; a rotation gives the one before it an end. */
  @Field(() => DateTime, { nullable: true, description: 'Until when messages are signed with it.' })
  @InstantColumn({ nullable: true })
  expiresAt: Instant | null
}
