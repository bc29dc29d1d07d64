import { type Config, serves } from '../platform/config/config.ts'
import { hasUnreachableLinks } from '../platform/config/link-url.ts'
import type { Service } from './start-service.ts'

interface ServiceUrls {
  readonly graphqlUrl: string
  readonly wsUrl: string
  readonly restUrl: string
  readonly linkUrl: string
}

/** What a person sees at start: where everything is, and three things to paste. */
export function banner(
  { graphqlUrl, wsUrl, restUrl, linkUrl }: ServiceUrls,
  { demo }: Pick<Service, 'demo'>,
  config: Pick<Config, 'dataDir' | 'mysqlUrl' | 'role' | 'linkUrl' | 'publicUrl'>,
): string {
  const { dataDir, mysqlUrl, role } = config
  const storage = mysqlUrl
    ? 'MySQL'
    : `an embedded database in ${dataDir}/ (for trying and small fleets: one process)`
  const urls = `
Odograph is ready. Role ${role}, on ${storage}.

  GraphQL    ${graphqlUrl}
  websocket  ${wsUrl}
  REST       ${restUrl}
${serves(role) ? `  link pages ${linkUrl}\n` : ''}${hasUnreachableLinks(config) ? UNREACHABLE_LINKS_NOTE : ''}`
  if (!demo) return urls
  if (!demo.made) return `${urls}\nThe demo's keys are in ${dataDir}/demo.json.\n`
  const { secretKey, publishableKey, connectionToken, publicToken } = demo.demo
  return `${urls}
The demo's keys, shown this once (and kept in ${dataDir}/demo.json):

  secret key        ${secretKey}
  publishable key   ${publishableKey}
  connection token  ${connectionToken}

A public token, to be exchanged once within 30 minutes (each start makes one):

  public token      ${publicToken}

A query:

  curl -s ${graphqlUrl} -H 'Authorization: Bearer ${secretKey}' -H 'Connection-Token: ${connectionToken}' \\
    -H 'Content-Type: application/json' -d '{"query":"{ vehicles(first: 3) { nodes { name latestLocation { speed address { formatted } } } } }"}'

A REST call:

  curl -s '${restUrl}/vehicles?limit=3&expand=groups,devices' \\
    -H 'Authorization: Bearer ${secretKey}' -H 'Connection-Token: ${connectionToken}'

A subscription:

  node -e "import('graphql-ws').then(async ({ createClient }) => { const client = createClient({ url: '${wsUrl}', webSocketImpl: (await import('ws')).default, connectionParams: { authorization: 'Bearer ${secretKey}', connectionToken: '${connectionToken}' } }); for await (const { data } of client.iterate({ query: 'subscription { vehicleLocations { vehicle { name } speed locatedAt } }' })) console.log(JSON.stringify(data)) })"

`
}

const UNREACHABLE_LINKS_NOTE = `
Links for fleets will lead here, where there are no link pages: neither PUBLIC_URL nor LINK_URL says where they are.
Set PUBLIC_URL to where callers reach the gateways, in every process.
`
