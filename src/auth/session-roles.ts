import { type KeyScope, keyScopes, type KeyScopes, permits } from './key-scopes.ts'

/** Roles of people who sign in to the dashboard. The values are part of the API. */
export enum SessionRole {
  VIEWER = 'VIEWER',
  OPERATOR = 'OPERATOR',
  ADMIN = 'ADMIN',
}

const operatorWrites: readonly KeyScope[] = [
  'connections:write',
  'vehicles:write',
  'syncs:write',
  'issues:write',
  'webhooks:write',
  'purchases:write',
  'links:write',
]

/** Key scopes for which each role stands. A session with a role is authorized like a key with these scopes. */
const scopesByRole: Readonly<Record<SessionRole, readonly KeyScope[]>> = {
  VIEWER: keyScopes.filter((scope) => scope.endsWith(':read')),
  OPERATOR: keyScopes.filter((scope) => scope.endsWith(':read') || operatorWrites.includes(scope)),
  ADMIN: keyScopes,
}

/** Returns the scopes of a role that the key which created the session permits too. Without a key, all of the role. */
export const scopesOfRole = (role: SessionRole, key: { readonly scopes: KeyScopes } | null): KeyScope[] =>
  scopesByRole[role].filter((scope) => key === null || permits(key.scopes, scope))
