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
  description: 'The kind of an actor in the audit log.',
  valuesConfig: {
    KEY: { description: 'A client with a secret key.' },
    SESSION: { description: 'A client with a browser session.' },
    OPERATOR: { description: 'An operator at the command line of the service.' },
    FLEET: { description: 'A fleet on the link pages.' },
    SERVICE: { description: 'The service itself, without a request.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'The actor of an audited change.' })
export class Actor {
  @Field(() => ActorKind, { description: 'The kind of actor.' })
  readonly kind: `${ActorKind}`

  @Field(() => String, {
    nullable: true,
    description:
      'The id of the key, session or link run, or the system user name of the operator. Null for the service itself.',
  })
  readonly id: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'The name of the person who signed in to the dashboard. Null if the link has no name, and for other actors.',
  })
  readonly name?: string | null
}

/** Row of the audit log: one administrative change. It contains no secrets and no data of fleet records. */
@Entity('audit_log')
@Indexes(['applicationId', 'at', 'id'])
@ObjectType({
  simpleResolvers: true,
  description:
    'An administrative change: its actor, action, target and time. It contains no secrets and no data of fleet records.',
})
export class AuditEntry {
  @Field(() => ID, { description: 'The id of the entry, with the prefix `aud_`.' })
  @KeyColumn()
  id: Id<'auditEntry'>

  /** Empty for a change of the whole service. */
  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => DateTime, { description: 'When the change was made.' })
  @InstantColumn()
  at: Instant

  @IdColumn()
  actorKind: Actor['kind']

  @TextColumn({ nullable: true })
  actorId: string | null

  /** Name of the person. The session of the person is removed a day after its end, the entry stays. */
  @TextColumn({ nullable: true })
  actorName: string | null

  @Field(() => String, { description: 'The action, such as key.created.' })
  @IdColumn()
  action: string

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the changed object. Null if the action has no single target.',
  })
  @IdColumn({ nullable: true })
  targetId: string | null

  @Field(() => Json, {
    description: 'Details of the change, such as the names of the changed members.',
  })
  @JsonColumn()
  detail: Readonly<Record<string, unknown>>

  @Field(() => Actor, { description: 'The actor of the change.' })
  @Computed(({ actorKind, actorId, actorName }: AuditEntry): Actor => ({
    kind: actorKind,
    id: actorId,
    name: actorName,
  }))
  actor?: Actor
}

export interface AuditedChange {
  readonly action: string
  readonly targetId: string | null
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Returns the audit-log actor of a caller. */
export function actorOf({ key, session }: Pick<Caller, 'key' | 'session'>): Actor {
  if (session !== null) return { kind: 'session', id: session.id, name: session.name }
  return key === null ? operatorActor : { kind: 'key', id: key.id }
}

/** Actor of changes on the command line, with the name of the system user. Its caller has neither key nor session. */
export const operatorActor: Actor = { kind: 'operator', id: systemUser() }

/**
 * Actor of changes that the service makes itself: status changes of a connection, disabling of a failing endpoint,
 * and demo data. Routine work is not audited: scheduled syncs, token renewals and retention.
 */
export const serviceActor: Actor = { kind: 'service', id: null }

/** Returns the name of the system user. In a container, the user may have no name: then the result is `uid 1000`. */
function systemUser(): string | null {
  try {
    return userInfo().username
  } catch {
    return process.getuid === undefined ? null : `uid ${process.getuid()}`
  }
}

/** Context of an audited change: its application, actor and time. */
export interface AuditContext {
  readonly applicationId: Id<'application'>
  readonly actor: Actor
  readonly at: Instant
}

export const auditedBy = (
  caller: Pick<Caller, 'applicationId' | 'key' | 'session'>,
  at: Instant,
): AuditContext => ({
  applicationId: caller.applicationId,
  actor: actorOf(caller),
  at,
})

/** Context of a change by an operator. A change of the whole service has no application. */
export const auditedByOperator = (at: Instant, applicationId: Id<'application'> = ''): AuditContext => ({
  applicationId,
  actor: operatorActor,
  at,
})

/** Writes an audit entry in the transaction of the change. */
export const recordAudit = (tx: Transaction, context: AuditContext, change: AuditedChange): Promise<void> =>
  tx.insert(tableOf(AuditEntry), [toAuditEntry(context, change)])

export const toAuditEntry = (
  { applicationId, actor, at }: AuditContext,
  { action, targetId, detail = {} }: AuditedChange,
): AuditEntry => ({
  id: newId('auditEntry', at),
  applicationId,
  at,
  actorKind: actor.kind,
  actorId: actor.id,
  actorName: actor.name ?? null,
  action,
  targetId,
  detail,
})
