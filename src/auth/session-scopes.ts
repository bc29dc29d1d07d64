import { PublicError } from '../domain/errors.ts'
import { type Model, models } from '../domain/models/models.ts'
import { type KeyScope, type KeyScopes, permits } from './key-scopes.ts'

/** Scopes of a session, one for each subgraph. The values are part of the API. */
export enum SessionScope {
  READ_CONNECTIONS = 'READ_CONNECTIONS',
  READ_FLEET = 'READ_FLEET',
  READ_RECORDS = 'READ_RECORDS',
  READ_TELEMETRY = 'READ_TELEMETRY',
  READ_EVENTS = 'READ_EVENTS',
}

export const sessionScopes: readonly SessionScope[] = Object.values(SessionScope)

const scopesOfModels = (sessionScope: Model['sessionScope']): readonly KeyScope[] => [
  ...new Set(models.filter((model) => model.sessionScope === sessionScope).map(({ scope }) => scope)),
]

/**
 * Key scopes for each session scope. A key can grant the session scope if it has one of them, because each permits
 * reading a part of the subgraph.
 */
export const requiredKeyScopes: Readonly<Record<SessionScope, readonly KeyScope[]>> = {
  READ_CONNECTIONS: ['connections:read', 'syncs:read', 'issues:read'],
  READ_FLEET: scopesOfModels('READ_FLEET'),
  READ_RECORDS: scopesOfModels('READ_RECORDS'),
  READ_TELEMETRY: scopesOfModels('READ_TELEMETRY'),
  READ_EVENTS: ['events:read'],
}

const mayGrant = (scopes: KeyScopes, scope: SessionScope): boolean =>
  requiredKeyScopes[scope].some((keyScope) => permits(scopes, keyScope))

/**
 * Returns the scopes that a key gives a session: the requested ones, or all that the key can grant. Throws if the key
 * cannot grant a requested scope, or can grant none.
 */
export function grantableScopes(
  keyScopes: KeyScopes,
  requested: readonly SessionScope[] | null,
): SessionScope[] {
  const missing = requested?.find((scope) => !mayGrant(keyScopes, scope))
  if (missing !== undefined) throw scopeNotGrantable(`the scope ${missing}`, requiredKeyScopes[missing])
  const granted = sessionScopes.filter((scope) => requested?.includes(scope) ?? mayGrant(keyScopes, scope))
  if (granted.length === 0) throw scopeNotGrantable('any scope', Object.values(requiredKeyScopes).flat())
  return granted
}

const scopeNotGrantable = (subject: string, alternatives: readonly KeyScope[]) =>
  new PublicError('forbidden', `The secret key cannot give a session ${subject}.`, {
    detail: `Missing scope: ${alternatives.join(' or ')}`,
  })
