import { userInfo } from 'node:os'
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Caller } from '../../auth/caller.ts'
import { type Id, newId } from '../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  TextColumn,
} from '../../storage/sql/columns.ts'
import type { Transaction } from '../../storage/database.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Instant } from '../../domain/time.ts'
import { Computed } from '../schema/build-subgraph.ts'
import { DateTime, Json } from '../schema/scalars.ts'

export enum ActorKind {
  KEY = 'key',
  SESSION = 'session',
  OPERATOR = 'operator',
  FLEET = 'fleet',
  SERVICE = 'service',
}

registerEnumType(ActorKind, {
  name: 'ActorKind',
  description: 'What kind of actor did something.',
  valuesConfig: {
    KEY: { description: 'Whoever sent a secret key.' },
    SESSION: { description: 'A session of a browser.' },
    OPERATOR: { description: 'An operator of the service, at its command line.' },
    FLEET: { description: 'A fleet on the link pages.' },
    SERVICE: { description: 'The service by itself.' },
  },
})

/** Who does something that is remembered. */
@ObjectType({ simpleResolvers: true, description: 'Who did something.' })
export class Actor {
  @Field(() => ActorKind, { description: 'What kind of actor.' })
  readonly kind: `${ActorKind}`

  @Field(() => String, {
    nullable: true,
    description: 'The id of the key, the session or the link run; the name of an operator.',
  })
  readonly id: string | null
}

/** An administrative act: who did what to what, and when. It holds no secret and nothing that a fleet's records say. */
@Entity('audit_log')
@Indexes(['applicationId', 'at', 'id'])
@ObjectType({
  simpleResolvers: true,
  description:
    'An administrative act: who did what to what, and when. It says no secret, and nothing of what a fleet has recorded.',
})
export class AuditEntry {
  @Field(() => ID, { description: 'Its aud_ id.' })
  @KeyColumn()
  id: Id<'auditEntry'>

  /** Empty for what was done to the service as a whole. */
  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => DateTime, { description: 'When it was done.' })
  @InstantColumn()
  at: Instant

  @IdColumn()
  actorKind: Actor['kind']

  @TextColumn({ nullable: true })
  actorId: string | null

  @Field(() => String, { description: 'What was done, such as key.created.' })
  @IdColumn()
  action: string

  @Field(() => ID, { nullable: true, description: 'The id of what it was done to.' })
  @IdColumn({ nullable: true })
  targetId: string | null

  @Field(() => Json, {
    description: 'What else there is to say, such as the names of the members that were changed.',
  })
  @JsonColumn()
  detail: Readonly<Record<string, unknown>>

  @Field(() => Actor, { description: 'Who did it.' })
  @Computed(({ actorKind, actorId }: AuditEntry): Actor => ({ kind: actorKind, id: actorId }))
  actor?: Actor
}

export interface AuditedChange {
  readonly action: string
  readonly targetId: string | null
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Who a caller is in the audit log. */
export function actorOf({ key, session }: Pick<Caller, 'key' | 'session'>): Actor {
  if (session !== null) return { kind: 'session', id: session.id }
  return key === null ? operatorActor : { kind: 'key', id: key.id }
}

/** Whoever has no key and no session is at the command line: by the name that the system knows. */
export const operatorActor: Actor = { kind: 'operator', id: systemUser() }

/**
 * What the service does by itself: it takes a connection on in its life, disables an endpoint that fails, and makes
 * the demo. What it does all day is no act: syncs on schedule, renewals of sign-ins, the retention of old data.
 */
export const serviceActor: Actor = { kind: 'service', id: null }

/** In a container a user may have a number and no name. */
function systemUser(): string | null {
  try {
    return userInfo().username
  } catch {
    return process.getuid === undefined ? null : `uid ${process.getuid()}`
  }
}

/** What is remembered of an act besides the act: whose it is, who did it and when. */
export interface Origin {
  readonly applicationId: Id<'application'>
  readonly actor: Actor
  readonly at: Instant
}

export const auditedBy = (
  caller: Pick<Caller, 'applicationId' | 'key' | 'session'>,
  at: Instant,
): Origin => ({
  applicationId: caller.applicationId,
  actor: actorOf(caller),
  at,
})

/** What is done to the service as a whole belongs to no application. */
export const auditedByOperator = (at: Instant, applicationId: Id<'application'> = ''): Origin => ({
  applicationId,
  actor: operatorActor,
  at,
})

/** Remembers an act, in the transaction that does it. */
export const recordAudit = (tx: Transaction, origin: Origin, act: AuditedChange): Promise<void> =>
  tx.insert(tableOf(AuditEntry), [toAuditEntry(origin, act)])

export const toAuditEntry = (
  { applicationId, actor, at }: Origin,
  { action, targetId, detail = {} }: AuditedChange,
): AuditEntry => ({
  id: newId('auditEntry', at),
  applicationId,
  at,
  actorKind: actor.kind,
  actorId: actor.id,
  action,
  targetId,
  detail,
})
