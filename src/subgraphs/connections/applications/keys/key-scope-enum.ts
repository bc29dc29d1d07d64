import { registerEnumType } from 'type-graphql'
import { type KeyScope, keyScopes } from '../../../../auth/key-scopes.ts'

type WriteScope = Extract<KeyScope, `${string}:write`>

/** Descriptions of the scopes whose name does not show what they permit. */
const descriptions: Readonly<Partial<Record<KeyScope, string>> & Record<WriteScope, string>> = {
  'connections:write': 'Reads and changes connections, exchanges public tokens, manages provider webhooks.',
  'vehicles:write': 'Reads vehicles, and sets facts about them.',
  'hos:read': 'Reads hours of service.',
  'safety:read': 'Reads safety events and their camera media.',
  'locations:read': 'Reads locations of vehicles and trailers.',
  'stats:read': 'Reads measurements of vehicles.',
  'utilization:read': 'Reads distance, fuel and engine times by vehicle.',
  'ifta:read': 'Reads distances by jurisdiction.',
  'syncs:write': 'Reads, requests, retries and cancels syncs.',
  'issues:write': 'Reads and resolves issues.',
  'events:read': 'Reads all events, with the records of every model in them.',
  'webhooks:read': 'Reads webhook endpoints and their deliveries.',
  'webhooks:write': 'Reads and changes webhook endpoints, sends test events, replays deliveries and events.',
  'sessions:write': 'Creates, lists and revokes sessions.',
  'links:write': 'Creates, lists and deletes short links.',
  'purchases:write': 'Checks purchases and reads checks. Manages their cards, sites and policies.',
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
      { description: `${descriptionOf(scope)} In REST and on the command line: \`${scope}\`.` },
    ]),
  ),
})
