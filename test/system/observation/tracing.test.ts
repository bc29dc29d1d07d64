import { expect, test } from 'vitest'
import { makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { Collector, type CollectedSpan } from '../../support/observation/otlp-collector.ts'
import { ObservedService, until } from '../../support/observation/observed-service.ts'

const QUERY = 'query Traced { vehicles(first: 3) { nodes { id groups { name } latestLocation { speed } } } }'
const traceId = (digit: string) => digit.repeat(32)
const traceparent = (digit: string) => `00-${traceId(digit)}-${digit.repeat(16)}-01`

const ask = async (service: ServiceProcess, url: string, digit: string, headers = service.headers()) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', traceparent: traceparent(digit) },
    body: JSON.stringify({ query: QUERY }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}

const spansOf = (collector: Collector, digit: string, enough: (spans: CollectedSpan[]) => boolean) =>
  until(() => {
    const spans = collector.spans.filter((span) => span.traceId === traceId(digit))
    return enough(spans) ? spans : null
  })

test('a trace contains the request, its operation, loaders and statements; that of a job contains its provider requests', async () => {
  await using collector = await Collector.start()
  await using observed = await ObservedService.start('sqlite', {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'traced',
  })
  const { service } = observed
  for (const digit of ['a', 'b', 'c']) {
    await ask(service, service.ready.graphqlUrl, digit)
    const spans = await spansOf(collector, digit, (found) =>
      found.some(({ name }) => name === 'POST /graphql'),
    )
    const paths = spans.map((span) => collector.pathOf(span))
    const within = ['query Traced', 'POST /graphql']
    expect(paths).toContainEqual(['SELECT', 'load groups by id', ...within])
    expect(paths).toContainEqual(['SELECT', ...within])
    expect(spans.find(({ name }) => name === 'POST /graphql')?.parentSpanId).toBe(digit.repeat(16))
  }
  const job = await until(() => collector.spans.find(({ name }) => name === 'job sync-connection') ?? null)
  const below = collector.tree(job.traceId).map(({ span }) => span)
  const call = below.find(({ name }) => name === 'GET sandbox')
  expect(call && collector.pathOf(call)).toEqual(['GET sandbox', 'job sync-connection'])
  const exported = JSON.stringify(collector.spans)
  expect(exported).not.toContain(service.ready.secretKey)
  expect(exported).not.toContain(service.ready.connectionToken)
  expect(exported).not.toContain('url.query')
  const statements = below.flatMap(({ attributes }) =>
    attributes.filter(({ key }) => key === 'db.query.text'),
  )
  expect(statements.length).toBeGreaterThan(10)
  for (const { value } of statements)
    expect(String(value['stringValue'])).not.toContain(service.ready.connectionId)
})

test.skipIf(!stores.includes('mariadb'))(
  'a trace continues from the gateway in the process of a subgraph',
  async () => {
    await using collector = await Collector.start()
    const home = await makeHome('mariadb')
    const shared = {
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      LOG_LEVEL: 'info',
    }
    const fleet = ServiceProcess.spawn(home, ['--role', 'subgraph:fleet'], { ...shared, DEMO: 'off' })
    try {
      const { graphqlUrl } = await fleet.becomesReady()
      const gateway = ServiceProcess.spawn(home, ['--role', 'gateway', '--fleet-size', '5'], {
        ...shared,
        SUBGRAPH_URLS: `fleet=${graphqlUrl}`,
      })
      try {
        const ready = await gateway.becomesReady()
        const headers = { ...gateway.headers(), 'x-request-id': 'through-both' }
        await ask(gateway, ready.graphqlUrl, 'd', headers)
        const spans = await spansOf(
          collector,
          'd',
          (found) => new Set(found.map(({ role }) => role)).size === 2 && found.some(isRequestAtGateway),
        )
        const served = spans.find(({ role, name }) => role === 'subgraph:fleet' && name === 'POST /graphql')
        expect(served && collector.pathOf(served)).toEqual(['POST /graphql', 'query Traced', 'POST /graphql'])
        expect(spans.some(({ role, name }) => role === 'subgraph:fleet' && name === 'SELECT')).toBe(true)
        await until(() => (fleet.output().includes('"requestId":"through-both"') ? true : null))
      } finally {
        await gateway.end('SIGTERM')
      }
    } finally {
      await fleet.end('SIGTERM')
      await home.remove()
    }
  },
)

const isRequestAtGateway = ({ role, name }: CollectedSpan) => role === 'gateway' && name === 'POST /graphql'
