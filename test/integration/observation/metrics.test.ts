import { readFileSync } from 'node:fs'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { parse } from 'yaml'
import { stores } from '../../support/database/stores.ts'
import { METRICS_TOKEN, ObservedService, until } from '../../support/observation/observed-service.ts'

const store = stores.at(-1) ?? 'sqlite'

/** Returns the metric families of a scrape, with their types and help texts. */
const familiesIn = (text: string) =>
  new Map(
    [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (\w+)$/gm)].map(
      ([, name = '', help = '', kind = '']) => [name, { help, kind }],
    ),
  )

const namesOf = (kind: string, name: string): string[] =>
  kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]

/** Returns the metrics that queries name. */
const metricsIn = (queries: readonly string[]): ReadonlySet<string> =>
  new Set(queries.flatMap((query) => query.match(/\b(?:odograph|process|nodejs)_\w+/g) ?? []))

/** Default metrics of the Prometheus client. No panel has to show them. */
const isDefaultMetric = (name: string) => /^(process|nodejs)_/.test(name)

/** Metrics that only a connection pool has. */
const POOL_METRIC = /^odograph_pool_/

describe(`/metrics on ${store}`, () => {
  let observed: ObservedService
  let text: string

  const query = (body: object) =>
    fetch(observed.service.ready.graphqlUrl, {
      method: 'POST',
      headers: { ...observed.service.headers(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  beforeAll(async () => {
    observed = await ObservedService.start(store, { NODE_ENV: 'production', LOG_LEVEL: 'info' })
    const { wsUrl, secretKey, connectionToken } = observed.service.ready
    await observed.lined('job ended', { operation: 'sync-connection', outcome: 'completed' })
    for (let time = 0; time < 150; time++)
      await query({ query: `query Op${time} { vehicles(first: 3) { nodes { id groups { name } } } }` })
    await query({ query: 'query Failing { events(after: "evt_1") { nodes { id } } }' })
    await observed.service.rest('/vehicles?limit=1')
    const client = createClient({
      url: wsUrl,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${secretKey}`, connectionToken },
    })
    const events = client.iterate({ query: 'subscription { events { id } }' })
    void events.next()
    text = await until(async () => {
      const scraped = await observed.metrics()
      return /^odograph_subscriptions_open 1$/m.test(scraped) ? scraped : null
    })
    await client.dispose()
  })

  afterAll(() => observed[Symbol.asyncDispose]())

  /** Returns the value of the sample with exactly these labels. */
  const valueOf = (name: string, labels = '') =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name}${labels ? `{${labels}}` : ''} `))
        ?.split(' ')
        .at(-1),
    )

  /** Returns the metrics that the service does not have on this store. */
  const notExposed = (names: ReadonlySet<string>): string[] => {
    const exposed = new Set([...familiesIn(text)].flatMap(([name, { kind }]) => namesOf(kind, name)))
    const ofThisStore = (name: string) => store === 'mariadb' || !POOL_METRIC.test(name)
    return [...names].filter((name) => ofThisStore(name) && !exposed.has(name))
  }

  test('needs the token in production', async () => {
    const statusWith = async (headers: Record<string, string>) =>
      (await fetch(`${observed.service.ready.url}/metrics`, { headers })).status
    expect(await statusWith({})).toBe(401)
    expect(await statusWith({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await statusWith(observed.service.headers())).toBe(401)
    for (const scheme of ['Bearer', 'bearer', 'BEARER '])
      expect(await statusWith({ authorization: `${scheme} ${METRICS_TOKEN}` })).toBe(200)
  })

  test('counts requests by route, and operations by a limited number of names', () => {
    expect(
      valueOf('odograph_http_requests_total', 'method="GET",route="/tsp/v1/vehicles",status="200"'),
    ).toBe(1)
    expect(valueOf('odograph_operations_total', 'operation="Op7",type="query",engine="fused"')).toBe(1)
    expect(valueOf('odograph_operations_total', 'operation="other",type="query",engine="fused"')).toBe(51)
    expect(valueOf('odograph_operations_total', 'operation="ListVehicles",type="query",engine="fused"')).toBe(
      1,
    )
    expect(valueOf('odograph_operation_errors_total', 'engine="fused",code="BAD_USER_INPUT"')).toBe(1)
  })

  test('has counts and gauges of syncs, jobs, requests and sockets', () => {
    expect(valueOf('odograph_syncs_total', 'provider="sandbox",outcome="completed"')).toBe(1)
    expect(valueOf('odograph_sync_records_total', 'provider="sandbox",model="Vehicle"')).toBe(10)
    expect(valueOf('odograph_sync_connections', 'provider="sandbox"')).toBe(1)
    expect(valueOf('odograph_sync_overdue_connections', 'provider="sandbox"')).toBe(0)
    expect(valueOf('odograph_job_attempts_total', 'job_name="sync-connection",outcome="completed"')).toBe(1)
    expect(valueOf('odograph_provider_requests_total', 'provider="sandbox",status="200"')).toBeGreaterThan(10)
    expect(valueOf('odograph_loader_batch_size_count', 'loader="groups by id"')).toBeGreaterThan(100)
    expect(valueOf('odograph_statements_per_request_count', 'route="/graphql"')).toBeGreaterThan(100)
    expect(valueOf('odograph_queue_jobs', 'job_name="sync-connection",state="waiting"')).toBe(0)
    expect(valueOf('odograph_sockets_open')).toBe(1)
    expect(valueOf('odograph_collection_failures_total', 'part="sync_lag"')).toBe(0)
  })

  test('follows the naming rules of Prometheus, with a help text for each metric', () => {
    for (const [name, { help, kind }] of familiesIn(text)) {
      if (isDefaultMetric(name)) continue
      expect(name).toMatch(/^odograph_[a-z_]+$/)
      expect(help).toMatch(/\.$/)
      expect([name, kind === 'counter']).toEqual([name, name.endsWith('_total')])
      if (kind === 'histogram') expect(name).toMatch(/_(seconds|per_request|size)$/)
    }
    expect(text).not.toMatch(/[{,](job|instance)="/)
  })

  test('has every metric of the dashboard, and the dashboard has every metric of the service', () => {
    const file = readFileSync('deploy/monitoring/dashboard.json', 'utf8')
    const { panels } = JSON.parse(file) as { panels: { targets?: { expr: string }[] }[] }
    const shown = metricsIn(panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)))
    expect(notExposed(shown)).toEqual([])
    const missing = [...familiesIn(text)]
      .filter(([name]) => !isDefaultMetric(name))
      .filter(([name, { kind }]) => !namesOf(kind, name).some((one) => shown.has(one)))
    expect(missing.map(([name]) => name)).toEqual([])
  })

  test('has every metric of the alerts', () => {
    const { groups } = parse(readFileSync('deploy/monitoring/alerts.yml', 'utf8')) as {
      groups: { rules: { expr: string }[] }[]
    }
    const used = metricsIn(groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)))
    expect(used.size).toBeGreaterThan(10)
    expect(notExposed(used)).toEqual([])
  })
})

test('/metrics is not served in production by default', async () => {
  await using observed = await ObservedService.start('sqlite', {
    NODE_ENV: 'production',
    METRICS_TOKEN: '',
    METRICS: '',
  })
  expect((await fetch(`${observed.service.ready.url}/metrics`)).status).toBe(404)
})
