import { Entity } from 'typeorm'
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { SessionScope } from '../../../auth/session-scopes.ts'
import type { Id } from '../../../domain/ids.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, KeyColumn } from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'
import { DateTime } from '../../schema/scalars.ts'

registerEnumType(SessionScope, {
  name: 'SessionScope',
  description: 'What a session may read.',
  valuesConfig: {
    READ_CONNECTIONS: { description: 'Connections with their syncs and issues, the providers, and `node`.' },
    READ_FLEET: { description: 'Vehicles, drivers, trailers, groups and devices.' },
    READ_RECORDS: { description: 'Trips, hours of service, safety events, fault codes and sums.' },
    READ_TELEMETRY: { description: 'Locations and measurements, stored and live.' },
    READ_EVENTS: { description: 'The event log, with what each event tells of records of any kind.' },
  },
})

@Entity('sessions')
@Indexes(['applicationId', 'id'], ['expiresAt'])
@ObjectType({
  simpleResolvers: true,
  description: 'What a browser may read for a while, with a token that its own server has asked for.',
})
export class Session {
  @Field(() => ID, { description: 'Its ses_ id.' })
  @KeyColumn()
  id: Id<'session'>

  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => [ID], {
    nullable: true,
    description: 'The connections that it may read; null is every one of the application.',
  })
  @JsonColumn({ nullable: true })
  connectionIds: Id<'connection'>[] | null

  @Field(() => [SessionScope], { description: 'What of them it may read.' })
  @JsonColumn()
  scopes: SessionScope[]

  @Field(() => DateTime, { description: 'When it was made.' })
  @InstantColumn()
  createdAt: Instant

  @Field(() => DateTime, { description: 'When it ends by itself.' })
  @InstantColumn()
  expiresAt: Instant

  @InstantColumn({ nullable: true })
  revokedAt: Instant | null

  /** The key that made it, with which it ends; null where an operator did. */
  @IdColumn({ nullable: true })
  keyId: Id<'key'> | null
}
