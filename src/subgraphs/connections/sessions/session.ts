import { Entity } from 'typeorm'
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { SessionRole } from '../../../auth/session-roles.ts'
import { SessionScope } from '../../../auth/session-scopes.ts'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  TextColumn,
} from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'
import { DateTime } from '../../schema/scalars.ts'

registerEnumType(SessionScope, {
  name: 'SessionScope',
  description: 'The data that a session may read.',
  valuesConfig: {
    READ_CONNECTIONS: { description: 'Connections with their syncs and issues, the providers, and `node`.' },
    READ_FLEET: { description: 'Vehicles, drivers, trailers, groups and devices.' },
    READ_RECORDS: { description: 'Trips, hours of service, safety events, fault codes and totals.' },
    READ_TELEMETRY: { description: 'Locations and measurements, stored and live.' },
    READ_EVENTS: { description: 'The event log. Its events contain records of all types.' },
  },
})

registerEnumType(SessionRole, {
  name: 'SessionRole',
  description:
    'What a person who signs in to the dashboard may do. A role stands for scopes of keys: the session is authorized like a key that has them, and never has more than the key that created it.',
  valuesConfig: {
    VIEWER: { description: 'Reads everything that a read scope covers.' },
    OPERATOR: {
      description:
        'Also changes connections, vehicle facts, syncs, issues, webhooks, purchases and short links.',
    },
    ADMIN: { description: 'Everything: also sessions, requests to providers, the application and its keys.' },
  },
})

@Entity('sessions')
@Indexes(['applicationId', 'id'], ['applicationId', 'expiresAt'], ['expiresAt'], ['signInCodeHash'])
@ObjectType({
  simpleResolvers: true,
  description:
    'Access of a browser for a limited time. The server of the integrator creates the session, which then only reads, or a person who signs in to the dashboard.',
})
export class Session {
  @Field(() => ID, { description: 'The id, which begins with ses_.' })
  @KeyColumn()
  id: Id<'session'>

  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => String, {
    nullable: true,
    description: 'The person for whom a sign-in link to the dashboard was created. Null for other sessions.',
  })
  @TextColumn({ nullable: true })
  name: string | null

  @Field(() => [ID], {
    nullable: true,
    description: 'The connections that the session may read. Null for all connections of the application.',
  })
  @JsonColumn({ nullable: true })
  connectionIds: Id<'connection'>[] | null

  @Field(() => SessionRole, {
    nullable: true,
    description: 'What the person may do. Null for a session that `createSession` created: it only reads.',
  })
  @IdColumn({ nullable: true })
  role: SessionRole | null

  @Field(() => [SessionScope], {
    description: 'The data that the session may read. With a role, the role decides instead.',
  })
  @JsonColumn()
  scopes: SessionScope[]

  @Field(() => DateTime, { description: 'When the session was created.' })
  @InstantColumn()
  createdAt: Instant

  @Field(() => DateTime, { description: 'When the session expires.' })
  @InstantColumn()
  expiresAt: Instant

  @InstantColumn({ nullable: true })
  revokedAt: Instant | null

  /** Key that created the session. The session ends with the key. Null if an operator created the session. */
  @IdColumn({ nullable: true })
  keyId: Id<'key'> | null

  /** Hash of the code in a sign-in link. Null once a person has signed in with it, and for other sessions. */
  @IdColumn({ nullable: true })
  signInCodeHash: string | null
}
