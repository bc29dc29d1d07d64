import { PublicError } from '../domain/errors.ts'
import type { NodeKind } from '../domain/record-models.ts'

/**
 * What a secret key may do. A key without scopes may do everything but what takes `admin`; a key with some may do these
 * alone, and is refused the rest with the name of the scope that it lacks. Whoever may write something may read it.
 */
export const keyScopes = [
  'connections:read',
  'connections:write',
  'vehicles:read',
  'drivers:read',
  'trailers:read',
  'groups:read',
  'devices:read',
  'trips:read',
  'hos:read',
  'safety:read',
  'fault_codes:read',
  'locations:read',
  'stats:read',
  'utilization:read',
  'ifta:read',
  'syncs:read',
  'syncs:write',
  'issues:read',
  'issues:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'sessions:write',
  'links:write',
  'passthrough:write',
  'admin',
] as const

export type KeyScope = (typeof keyScopes)[number]

/** Null is every scope but `admin`. */
export type KeyScopes = readonly KeyScope[] | null

/** Whether scopes permit what takes one of them. */
export function permits(scopes: KeyScopes, scope: KeyScope): boolean {
  if (scopes === null) return scope !== 'admin'
  return scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ':write') as KeyScope)
}

/** The scope that reading each kind of record takes. */
export const scopeOfNode: Readonly<Record<NodeKind, KeyScope>> = {
  connection: 'connections:read',
  sync: 'syncs:read',
  issue: 'issues:read',
  vehicle: 'vehicles:read',
  driver: 'drivers:read',
  trailer: 'trailers:read',
  group: 'groups:read',
  device: 'devices:read',
  trip: 'trips:read',
  hosLog: 'hos:read',
  hosDailyLog: 'hos:read',
  safetyEvent: 'safety:read',
  faultCodeEvent: 'fault_codes:read',
}

/** Clients that know of scopes take a 403 to mean: skip this resource, go on with the others. */
export const missingScope = (scope: KeyScope, whose = 'The secret key') =>
  new PublicError('forbidden', `${whose} has no scope ${scope}.`, { detail: `Missing scope: ${scope}` })
