import { PublicError } from '../domain/errors.ts'
import { type KeyScope, type KeyScopes, permits } from './key-scopes.ts'

/** What a session may read: a scope for each subgraph. The words are those of the API. */
export enum SessionScope {
  READ_CONNECTIONS = 'READ_CONNECTIONS',
  READ_FLEET = 'READ_FLEET',
  READ_RECORDS = 'READ_RECORDS',
  READ_TELEMETRY = 'READ_TELEMETRY',
  READ_EVENTS = 'READ_EVENTS',
}

export const sessionScopes: readonly SessionScope[] = Object.values(SessionScope)

/** The scopes of a key of which it takes one at least to give a session a scope: each reads a part of the same. */
export const requiredKeyScopes: Readonly<Record<SessionScope, readonly KeyScope[]>> = {
  READ_CONNECTIONS: ['connections:read', 'syncs:read', 'issues:read'],
  READ_FLEET: ['vehicles:read', 'drivers:read', 'trailers:read', 'groups:read', 'devices:read'],
  READ_RECORDS: [
    'trips:read',
    'hos:read',
    'safety:read',
    'fault_codes:read',
    'utilization:read',
    'ifta:read',
  ],
  READ_TELEMETRY: ['locations:read', 'stats:read'],
  READ_EVENTS: ['events:read'],
}

const mayGrant = (scopes: KeyScopes, scope: SessionScope): boolean =>
  requiredKeyScopes[scope].some((behind) => permits(scopes, behind))

/** What a key gives a session: the scopes that are asked for, or all that it has any part of. Never one that it lacks. */
export function grantableScopes(keyScopes: KeyScopes, asked: readonly SessionScope[] | null): SessionScope[] {
  const missing = asked?.find((scope) => !mayGrant(keyScopes, scope))
  if (missing !== undefined) throw scopeNotGrantable(`the scope ${missing}`, requiredKeyScopes[missing])
  const given = sessionScopes.filter((scope) => asked?.includes(scope) ?? mayGrant(keyScopes, scope))
  if (given.length === 0) throw scopeNotGrantable('any scope', Object.values(requiredKeyScopes).flat())
  return given
}

const scopeNotGrantable = (what: string, behind: readonly KeyScope[]) =>
  new PublicError('forbidden', `The secret key cannot give a session ${what}.`, {
    detail: `Missing scope: ${behind.join(' or ')}`,
  })
