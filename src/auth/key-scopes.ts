import { PublicError } from '../domain/errors.ts'
import { type Model, models } from '../domain/models/models.ts'
import type { NodeKind } from '../domain/record-models.ts'

const modelScopes: readonly Model['scope'][] = [...new Set(models.map(({ scope }) => scope))]

/**
 * Scopes of secret keys. A key without scopes may do everything except what requires `admin`. A key with
 * scopes may do only what they permit; the error names the missing scope. A write scope includes the read
 * scope.
 */
export const keyScopes = [
  'connections:read',
  'connections:write',
  ...modelScopes,
  'vehicles:write',
  'syncs:read',
  'syncs:write',
  'issues:read',
  'issues:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'purchases:read',
  'purchases:write',
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

/** Scope that permits reading each kind of node. */
export const scopeOfNode = {
  connection: 'connections:read',
  sync: 'syncs:read',
  issue: 'issues:read',
  purchaseCheck: 'purchases:read',
  ...Object.fromEntries(models.flatMap(({ id, node, scope }) => (id && node ? [[id.kind, scope]] : []))),
} as Readonly<Record<NodeKind, KeyScope>>

/** Error for a missing scope. Clients recognize this 403 by its detail, skip the resource and read the others. */
export const missingScope = (scope: KeyScope, holder = 'The secret key') =>
  new PublicError('forbidden', `${holder} has no scope ${scope}.`, { detail: `Missing scope: ${scope}` })
