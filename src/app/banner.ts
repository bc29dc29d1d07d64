import { type Config, servesCallers } from '../platform/config/config.ts'
import { hasUnreachableLinks } from '../platform/config/link-url.ts'
import type { Service } from './start-service.ts'

interface ServiceUrls {
  readonly url: string
  readonly dashboardUrl: string
  readonly graphqlUrl: string
  readonly wsUrl: string
  readonly restUrl: string
  readonly linkUrl: string
}

/** Returns the text that the service prints after its start: its URLs, and example calls for the demo. */
export function banner(
  urls: ServiceUrls,
  { demo, hasApplication }: Pick<Service, 'demo' | 'hasApplication'>,
  config: Pick<Config, 'dataDir' | 'mysqlUrl' | 'role' | 'linkUrl' | 'publicUrl'>,
): string {
  const { graphqlUrl, restUrl } = urls
  const { dataDir, mysqlUrl, role } = config
  const data = mysqlUrl ? 'MySQL' : `SQLite in ${dataDir}/ (one process; for trials and small fleets)`
  const summary = `
Odograph is ready (role: ${role}).

${urlLines(urls, role)}  Data           ${data}
${hasUnreachableLinks(config) ? UNREACHABLE_LINKS_NOTE : ''}${servesCallers(role) && !hasApplication ? NO_APPLICATION_NOTE : ''}`
  if (!demo) return summary
  const { secretKey, publishableKey, connectionToken, publicToken, signInCode } = demo.credentials
  const withDashboard = `${summary}
Watch the demo's vehicles move. This link signs you in once, within an hour:

  ${urls.dashboardUrl}/sign-in#${signInCode}
`
  if (!demo.isNew) return `${withDashboard}\nThe demo's keys are in ${dataDir}/demo.json.\n`
  return `${withDashboard}
The demo's keys are shown once and stored in ${dataDir}/demo.json. Paste them into a terminal:

  export SECRET_KEY=${secretKey}
  export CONNECTION_TOKEN=${connectionToken}
  export PUBLISHABLE_KEY=${publishableKey}
  export PUBLIC_TOKEN=${publicToken}  # valid for 30 minutes

Then try a query, a REST call and a subscription:

  curl -s ${graphqlUrl} -H "Authorization: Bearer $SECRET_KEY" \\
    -H "Connection-Token: $CONNECTION_TOKEN" -H 'Content-Type: application/json' \\
    -d '{"query":"{ vehicles(first: 3) { nodes { name latestLocation { speed } } } }"}'

  curl -s '${restUrl}/vehicles?limit=3&expand=groups' \\
    -H "Authorization: Bearer $SECRET_KEY" -H "Connection-Token: $CONNECTION_TOKEN"

  curl -sNG ${graphqlUrl} -H 'Accept: text/event-stream' \\
    -H "Authorization: Bearer $SECRET_KEY" -H "Connection-Token: $CONNECTION_TOKEN" \\
    --data-urlencode 'query=subscription { vehicleLocations { vehicle { name } speed } }'

`
}

/** Returns the lines with the URLs that a role serves. A subgraph serves only gateways, a worker serves none. */
function urlLines(
  { url, dashboardUrl, graphqlUrl, wsUrl, restUrl, linkUrl }: ServiceUrls,
  role: Config['role'],
): string {
  if (role === 'worker') return ''
  if (!servesCallers(role)) return `  GraphQL        ${graphqlUrl}\n`
  return `  Start page     ${url}/
  Dashboard      ${dashboardUrl}
  GraphQL        ${graphqlUrl}
  Subscriptions  ${wsUrl}
  REST           ${restUrl}
  Link pages     ${linkUrl}
`
}

const UNREACHABLE_LINKS_NOTE = `
The links that fleets receive do not work yet: they lead to this process, which serves no link pages.
In every process, set PUBLIC_URL to the public URL of the gateways. Or set LINK_URL to the URL of the link pages.
`

const NO_APPLICATION_NOTE = `
No application exists yet, so no caller has a key. Create one, in this folder or container:

  node dist/src/cli/main.js applications create NAME

To try the service with a simulated fleet instead, start it with DEMO=on.
`
