import { PublicError } from '../domain/errors.ts'
import type { NodeKind } from '../domain/record-models.ts'

/**
 * Scopes of secret keys. A key without scopes may do everything except what requires `admin`. A key with
 * scopes may do only what they permit; the error names the missing scope. A write scope includes the read
 * scope.
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

/** Scopes of a key; null stands for every scope except `admin`. */
export type KeyScopes = readonly KeyScope[] | null

/** Whether the scopes include the required scope. */
export function permits(scopes: KeyScopes, scope: KeyScope): boolean {
  if (scopes === null) return scope !== 'admin'
  return scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ':write') as KeyScope)
}

/** Scope for reading each kind of record. */
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

/** Error for a missing scope. On this 403, clients skip the resource and continue with the others. */
export const missingScope = (scope: KeyScope, holder = 'The secret key') =>
  new PublicError('forbidden', `${holder} has no scope ${scope}.`, { detail: `Missing scope: ${scope}` })
