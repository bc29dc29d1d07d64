import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { type Home, makeHome, ServiceProcess } from '../prove/support/service-process.ts'
import { foreignUrls, hasChromium, launch, openPage } from '../support/runner/chromium.ts'
import { firstSyncEnds } from '../support/first-sync.ts'
import { WebhookInbox } from '../support/webhooks/webhook-inbox.ts'

/** Tests each interface of the service once, as `npm start` runs it. `test/system` tests larger setups. */
describe('a service that starts in an empty folder', () => {
  let home: Home
  let service: ServiceProcess

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '10'], { WEBHOOK_ALLOW: '127.0.0.1' })
  })

  afterAll(async () => {
    await service.end('SIGKILL')
    await home.remove()
  })

  test('returns the synced fleet for a query over two subgraphs', async () => {
    interface Fleet {
      readonly vehicles: { readonly nodes: readonly { readonly latestLocation: object | null }[] }
    }
    const query = '{ vehicles(first: 50, hidden: true) { nodes { latestLocation { locatedAt } } } }'
    await expect
      .poll(async () => {
        const { vehicles } = await service.graphql<Fleet>(query)
        return [vehicles.nodes.length, vehicles.nodes.some(({ latestLocation }) => latestLocation)]
      })
      .toEqual([10, true])
  })

  test('returns the same fleet over REST', async () => {
    interface Page {
      readonly results: readonly { readonly groups: readonly { readonly name: string }[] }[]
    }
    const { results } = await service.rest<Page>('/vehicles?limit=50&hidden=true&expand=groups')
    expect(results).toHaveLength(10)
    expect(results[0]?.groups[0]?.name).toEqual(expect.any(String))
  })

  test('sends a sync event to a subscriber, and signed to a webhook', async () => {
    await using inbox = await WebhookInbox.start()
    const { secretKey, connectionToken, graphqlUrl, wsUrl } = service.ready
    const response = await fetch(graphqlUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `mutation ($url: String!) {
          createWebhookEndpoint(input: { url: $url, types: ["sync.completed"] }) { secret }
        }`,
        variables: { url: inbox.url },
      }),
    })
    const { data } = (await response.json()) as { data: { createWebhookEndpoint: { secret: string } } }
    inbox.secrets.push(data.createWebhookEndpoint.secret)

    const { events } = await service.graphql<{ events: { nodes: { id: string }[] } }>(
      '{ events(first: 1) { nodes { id } } }',
    )
    await firstSyncEnds(service)
    const { requestSync } = await service.graphql<{ requestSync: { sync: { id: string } } }>(
      'mutation { requestSync(input: {}) { sync { id } } }',
    )
    const client = createClient({
      url: wsUrl,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${secretKey}`, connectionToken },
    })
    const completed = client.iterate<{ events: { id: string; subject: { id: string } } }>({
      query: `subscription ($after: ID) {
        events(types: ["sync.completed"], after: $after) { id subject { id } }
      }`,
      variables: { after: events.nodes[0]?.id },
    })
    let eventId: string | undefined
    for await (const { data: next } of completed) {
      if (next?.events.subject.id !== requestSync.sync.id) continue
      eventId = next.events.id
      break
    }
    await inbox.until(({ received }) => received.some(({ event }) => event.id === eventId))
    await client.dispose()
    expect(inbox.forged).toEqual([])
  })

  test.skipIf(!hasChromium())('serves the link page in a browser, only from its own host', async () => {
    const browser = await launch()
    const { connection } = await service.graphql<{ connection: { linkUrl: string } }>(
      '{ connection { linkUrl } }',
    )
    const { search } = new URL(connection.linkUrl)
    const { page, requested, problems } = await openPage(browser, `${service.ready.url}/link/${search}`)
    await page.getByRole('heading').first().waitFor()
    expect(foreignUrls(requested, service.ready.url)).toEqual([])
    expect(problems).toEqual([])
    await browser.close()
  })

  test('exits at SIGTERM with code 0', async () => {
    expect(await service.end()).toBe(0)
  })
})
