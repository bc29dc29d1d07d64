import { registerEnumType } from 'type-graphql'
import { type KeyScope, keyScopes } from '../../../../auth/key-scopes.ts'

/** Descriptions of the scopes whose name does not say what they permit. */
const descriptions: Readonly<Partial<Record<KeyScope, string>>> = {
  'connections:write': 'Reads and changes connections, exchanges public tokens, manages provider webhooks.',
  'hos:read': 'Reads hours of service.',
  'safety:read': 'Reads safety events and their camera media.',
  'locations:read': 'Reads locations of vehicles and trailers.',
  'stats:read': 'Reads measurements of vehicles.',
  'utilization:read': 'Reads totals by vehicle.',
  'ifta:read': 'Reads distances by jurisdiction.',
  'syncs:write': 'Reads, requests, retries and cancels syncs.',
  'issues:write': 'Reads and resolves issues.',
  'events:read': 'Reads all events with their whole content.',
  'webhooks:read': 'Reads webhook endpoints and their deliveries.',
  'webhooks:write': 'Reads and changes webhook endpoints, sends and replays their messages.',
  'sessions:write': 'Creates, lists and revokes sessions.',
  'links:write': 'Creates, lists and deletes short links.',
  'passthrough:write': "Sends requests to the providers' own APIs.",
  admin: 'Reads and changes the application and its keys, reads the audit log and the request log.',
}

const descriptionOf = (scope: KeyScope): string =>
  descriptions[scope] ?? `Reads ${scope.replace(/:read$/, '').replaceAll('_', ' ')}.`

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
      { description: `${descriptionOf(scope)} REST and the command line name it \`${scope}\`.` },
    ]),
  ),
})
