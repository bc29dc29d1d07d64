import { Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { type Caller, scopedAccessOf } from '../../../auth/caller.ts'
import type { KeyScope } from '../../../auth/key-scopes.ts'
import { SessionRole } from '../../../auth/session-roles.ts'
import { SessionScope } from '../../../auth/session-scopes.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import { DateTime } from '../../schema/scalars.ts'
import { KeyScopeEnum } from '../applications/keys/key-scope-enum.ts'

export enum ViewerKind {
  KEY = 'KEY',
  SESSION = 'SESSION',
}

registerEnumType(ViewerKind, {
  name: 'ViewerKind',
  description: 'The credentials of a request.',
  valuesConfig: {
    KEY: { description: 'A secret key.' },
    SESSION: { description: 'A session token.' },
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'The key or session that sends the request, and what it may do.',
})
export class Viewer {
  @Field(() => ViewerKind, { description: 'The credentials of the request.' })
  kind: ViewerKind

  @Field(() => ID, { description: 'The id of the application, which begins with app_.' })
  applicationId: Id<'application'>

  @Field(() => ID, { nullable: true, description: 'The id of the key. Null for a session.' })
  keyId: Id<'key'> | null

  @Field(() => ID, { nullable: true, description: 'The id of the session. Null for a key.' })
  sessionId: Id<'session'> | null

  @Field(() => SessionRole, {
    nullable: true,
    description:
      'The role of the person who signed in to the dashboard. Null for a key and for other sessions.',
  })
  role: SessionRole | null

  @Field(() => String, {
    nullable: true,
    description: 'The name of the person who signed in to the dashboard. Null if it is unknown.',
  })
  name: string | null

  @Field(() => [KeyScopeEnum], {
    nullable: true,
    description:
      'The scopes of the key, of the role of the session, or of the key that created a session without a role. Null permits everything that does not require ADMIN.',
  })
  scopes: readonly KeyScope[] | null

  @Field(() => [SessionScope], {
    nullable: true,
    description:
      'The scopes of the session. A field also needs the scope of the key that created the session. Null for a key and for a session with a role.',
  })
  sessionScopes: readonly SessionScope[] | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the key or the session expires. Null if it never expires.',
  })
  expiresAt: Instant | null

  /** Connections that the caller may read; null for all of its application. */
  connectionIds: readonly Id<'connection'>[] | null
}

/** Returns the caller as the API shows it; null for a caller without credentials. */
export function viewerOf(caller: Caller): Viewer | null {
  const { applicationId, connectionIds, key, session } = caller
  const access = session ?? key
  if (!access) return null
  return {
    kind: session ? ViewerKind.SESSION : ViewerKind.KEY,
    applicationId,
    keyId: key?.id ?? null,
    sessionId: session?.id ?? null,
    role: session?.role ?? null,
    name: session?.name ?? null,
    scopes: scopedAccessOf(caller)?.scopes ?? null,
    sessionScopes: session?.role === null ? session.scopes : null,
    expiresAt: access.expiresAt,
    connectionIds,
  }
}
