import type { ConnectionHealthQuery } from '../api/generated/graphql.ts'

export type ConnectionRow = NonNullable<ConnectionHealthQuery['connections']>['nodes'][number]
export type Issue = NonNullable<ConnectionRow['issues']>['nodes'][number]

/** How urgently a connection needs a person. */
export type Health = 'broken' | 'failing' | 'incomplete' | 'healthy' | 'inactive'

export const healthNames: Readonly<Record<Health, string>> = {
  broken: 'Disconnected',
  failing: 'Syncs fail',
  incomplete: 'Data is missing',
  healthy: 'Healthy',
  inactive: 'Inactive',
}

/** In the order of their urgency. */
export const healthStates: readonly Health[] = ['broken', 'failing', 'incomplete', 'healthy', 'inactive']

/** Returns the most urgent fault of a connection. */
export function healthOf({ status, lastSync, issues }: ConnectionRow): Health {
  if (status === 'DISCONNECTED') return 'broken'
  if (status !== 'CONNECTED') return 'inactive'
  if (lastSync?.status === 'FAILED') return 'failing'
  return (issues?.nodes.length ?? 0) > 0 ? 'incomplete' : 'healthy'
}

/** What to do next about a connection; null if there is nothing. */
export function adviceOf(row: ConnectionRow): string | null {
  switch (healthOf(row)) {
    case 'broken':
      return row.linkUrl
        ? 'The provider no longer accepts the credentials. Send the fleet the sign-in link.'
        : 'The provider no longer accepts the credentials. Ask the fleet to link its account again.'
    case 'failing':
      return 'The next sync tries again. If it fails too, look at its reason, and at the status page of the provider.'
    case 'incomplete':
      return 'Some data cannot be read. The issues say which, and how to resolve it.'
    case 'inactive':
      return row.status === 'PENDING_DELETION'
        ? 'Its data will be deleted. Until then the deletion can be cancelled.'
        : null
    default:
      return null
  }
}

/** The connections by urgency, then by name. */
export const byUrgency = (one: ConnectionRow, other: ConnectionRow): number =>
  healthStates.indexOf(healthOf(one)) - healthStates.indexOf(healthOf(other)) ||
  nameOfConnection(one).localeCompare(nameOfConnection(other), 'en')

export const nameOfConnection = ({ company, externalId, id }: ConnectionRow): string =>
  company.name ?? externalId ?? id
