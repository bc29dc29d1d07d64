import { type Client, createClient, type ClientOptions } from 'graphql-sse'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

const FOLLOW = 'subscription ($after: ID) { events(after: $after) { id type } }'

interface EventsResult {
  readonly events: { readonly id: string }
}

let federation: FederationHarness
let gateway: GatewayClient
let position = 5000

beforeAll(async () => {
  federation = await FederationHarness.start([])
  gateway = await federation.startGateway()
  await federation.startSubgraph('events')
})
afterAll(() => federation[Symbol.asyncDispose]())

const appendEvent = () => federation.appendEvent((position += 1))
const headers = () => headersOf(federation.fleet.narrowed(0)) as Record<string, string>
const openStreams = () => gateway.streams.open + federation.server('events').streams.open
const urls = {
  gateway: () => `${gateway.url}/graphql`,
  subgraph: () => federation.server('events').url,
}

/** Opens a stream like an `EventSource`: a GET request with only its own headers. */
async function openEventSource(
  query: string,
  extraHeaders: Record<string, string> = {},
  variables?: object,
  of: keyof typeof urls = 'gateway',
) {
  const url = new URL(urls[of]())
  url.searchParams.set('query', query)
  if (variables) url.searchParams.set('variables', JSON.stringify(variables))
  const abort = new AbortController()
  const response = await fetch(url, {
    headers: { ...headers(), accept: 'text/event-stream', ...extraHeaders },
    signal: abort.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    close: () => abort.abort(),
    /** Reads until the text contains `part`. Returns all text so far. */
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        const { done, value } = await reader.read()
        if (done) break
        text += value
      }
      return text
    },
  }
}

describe.each([
  ['a stream per operation', false],
  ['one stream for all operations', true],
])('a client of graphql-sse with %s', (_name, singleConnection) => {
  let client: Client
  beforeEach(() => {
    client = createClient({
      url: `${gateway.url}/graphql`,
      singleConnection,
      headers,
      retryAttempts: 0,
    } as ClientOptions<boolean> as ClientOptions<false>)
    return async () => {
      client.dispose()
      await until(() => openStreams() === 0)
    }
  })

  test('runs a query', async () => {
    const answers = client.iterate({ query: '{ connection { status } }' })
    expect((await answers.next()).value).toEqual({ data: { connection: { status: 'CONNECTED' } } })
    expect((await answers.next()).done).toBe(true)
  })

  test('follows the log from an event on', async () => {
    const [first, second] = [await appendEvent(), await appendEvent()]
    const answers = client.iterate<EventsResult>({ query: FOLLOW, variables: { after: first } })
    const next = async () => (await answers.next()).value?.data?.events.id
    expect(await next()).toBe(second)
    const third = await appendEvent()
    expect(await next()).toBe(third)
    await answers.return?.()
  })

  test('can have several subscriptions and end one of them', async () => {
    const after = await appendEvent()
    const both = [0, 1].map(() => client.iterate<EventsResult>({ query: FOLLOW, variables: { after } }))
    const id = await appendEvent()
    for (const answers of both) expect((await answers.next()).value?.data?.events.id).toBe(id)
    await both[0]?.return?.()
    const later = await appendEvent()
    expect((await both[1]?.next())?.value?.data?.events.id).toBe(later)
    await both[1]?.return?.()
  })

  test('gets the error of a subscription', async () => {
    const after = federation.fleet.id
    const answers = client.iterate({ query: FOLLOW, variables: { after } })
    const outcome = await answers.next().then(
      ({ value }) => value as unknown,
      (error: unknown) => ({ errors: error }),
    )
    expect(JSON.stringify(outcome)).toContain('There is no event with this id in the log.')
  })
})

describe('an EventSource', () => {
  test.each(
    (['gateway', 'subgraph'] as const).flatMap((of) =>
      [
        'subscription { events { id } }',
        'subscription S { ...F } fragment F on Subscription { events { id } }',
        'subscription { ... on Subscription { events { id } } }',
        'subscription { ... { ...F } } fragment F on Subscription { ... { events { id } } }',
      ].map((query) => [of, query] as const),
    ),
  )('of a %s gets each event of %s with its id, and resumes after the last one', async (of, query) => {
    const first = await openEventSource(query, {}, undefined, of)
    expect(first.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const begun = await appendEvent()
    expect(await first.until(`id: ${begun}\ndata: {"data":{"events":{"id":"${begun}"}}}\n\n`)).toContain(
      'event: next\nid: evt_',
    )
    first.close()
    const missed = await appendEvent()
    const again = await openEventSource(query, { 'last-event-id': begun }, undefined, of)
    const text = await again.until(missed + '"}}}')
    expect(text.match(/"id":"(\w+)"/g)).toEqual([`"id":"${missed}"`])
    again.close()
    await until(() => openStreams() === 0)
  })

  test('gets the id of its start before the first event', async () => {
    const newest = await appendEvent()
    const events = await openEventSource('subscription { events { id } }')
    expect(await events.until(`id: ${newest}\n\n`)).not.toContain('event: next')
    events.close()
    await until(() => openStreams() === 0)
  })

  test('gets the errors of a document, then completes', async () => {
    const events = await openEventSource('subscription { nothing }')
    const text = await events.until('event: complete')
    expect(text).toContain('Cannot query field')
    expect(events.response.status).toBe(200)
  })

  test('cannot run mutations', async () => {
    const { response } = await openEventSource(
      'mutation { deleteConnection(input: {}) { connection { id } } }',
    )
    expect(response.status).toBe(405)
  })

  test('without a key is refused', async () => {
    const { response } = await openEventSource('subscription { events { id } }', {
      authorization: 'Bearer sk_test_no',
    })
    expect(response.status).toBe(401)
  })
})

describe('a reserved stream', () => {
  const url = () => `${gateway.url}/graphql`
  const reserve = async () => {
    const response = await fetch(url(), { method: 'PUT', headers: headers() })
    expect(response.status).toBe(201)
    return { 'x-graphql-event-stream-token': await response.text() }
  }

  test('can be opened once, and used only by its owner', async () => {
    const token = await reserve()
    const opened = await openEventSource('', token)
    expect(opened.response.status).toBe(200)
    expect((await openEventSource('', token)).response.status).toBe(409)
    const others = headersOf(federation.fleet.narrowed(1)) as Record<string, string>
    const post = { method: 'POST', headers: { ...others, ...token, 'content-type': 'application/json' } }
    const body = JSON.stringify({ query: '{ connection { id } }', extensions: { operationId: '1' } })
    expect((await fetch(url(), { ...post, body })).status).toBe(403)
    opened.close()
    await until(() => openStreams() === 0)
    expect((await fetch(`${url()}?operationId=1`, { method: 'DELETE', headers: token })).status).toBe(404)
  })

  test('refuses a second operation with the same id, and one without an id', async () => {
    const token = await reserve()
    const ask = (extensions?: object) =>
      fetch(url(), {
        method: 'POST',
        headers: { ...headers(), ...token, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'subscription { events { id } }', extensions }),
      }).then(({ status }) => status)
    expect(await ask({ operationId: 'a' })).toBe(202)
    expect(await ask({ operationId: 'a' })).toBe(409)
    expect(await ask()).toBe(400)
    const opened = await openEventSource('', token)
    opened.close()
    await until(() => openStreams() === 0)
  })
})
