import { registerEnumType } from 'type-graphql'
import { type KeyScope, keyScopes } from '../../../../auth/key-scopes.ts'

const descriptions: Readonly<Record<KeyScope, string>> = {
  'connections:read': 'Reads connections.',
  'connections:write': 'Reads and changes connections, exchanges public tokens, manages provider webhooks.',
  'vehicles:read': 'Reads vehicles.',
  'drivers:read': 'Reads drivers.',
  'trailers:read': 'Reads trailers.',
  'groups:read': 'Reads groups.',
  'devices:read': 'Reads devices.',
  'trips:read': 'Reads trips.',
  'hos:read': 'Reads hours of service.',
  'safety:read': 'Reads safety events and their camera media.',
  'fault_codes:read': 'Reads fault codes.',
  'locations:read': 'Reads locations of vehicles and trailers.',
  'stats:read': 'Reads measurements of vehicles.',
  'utilization:read': 'Reads totals by vehicle.',
  'ifta:read': 'Reads distances by jurisdiction.',
  'syncs:read': 'Reads syncs.',
  'syncs:write': 'Reads, requests, retries and cancels syncs.',
  'issues:read': 'Reads issues.',
  'issues:write': 'Reads and resolves issues.',
  'events:read': 'Reads all events with their whole content.',
  'webhooks:read': 'Reads webhook endpoints and their deliveries.',
  'webhooks:write': 'Reads and changes webhook endpoints, sends and replays their messages.',
  'sessions:write': 'Creates, lists and revokes sessions.',
  'links:write': 'Creates, lists and deletes short links.',
  'passthrough:write': "Sends requests to the providers' own APIs.",
  admin: 'Reads and changes the application and its keys, reads the audit log and the request log.',
}

const nameOf = (scope: KeyScope): string => scope.toUpperCase().replace(':', '_')

/** Scopes of keys by their names in GraphQL. */
export const KeyScopeEnum: Readonly<Record<string, KeyScope>> = Object.fromEntries(
  keyScopes.map((scope) => [nameOf(scope), scope]),
)

registerEnumType(KeyScopeEnum, {
  name: 'KeyScope',
  description: 'What a key may do. A write scope includes the read scope of the same name.',
  valuesConfig: Object.fromEntries(
    keyScopes.map((scope) => [
      nameOf(scope),
      { description: `${descriptions[scope]} Elsewhere the scope is named \`${scope}\`.` },
    ]),
  ),
})
