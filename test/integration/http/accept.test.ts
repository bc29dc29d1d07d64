import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

const URQL =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'
const APOLLO_SUBSCRIPTION = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json'
/** What current versions of Apollo Client send. */
const APOLLO_CLIENT = 'multipart/mixed;boundary="-";subscriptionSpec=1.0,application/json'
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const QUERY = '{ connection { status } }'
const SUBSCRIPTION = 'subscription { events { id } }'

let federation: FederationHarness
let gateway: GatewayClient
let position = 9000

beforeAll(async () => {
  federation = await FederationHarness.start([])
  gateway = await federation.startGateway({
    page: (reply) => {
      void reply.type('text/html')
      return 'the page'
    },
  })
})
afterAll(() => federation[Symbol.asyncDispose]())

const headers = (more: Record<string, string> = {}): Record<string, string> => ({
  ...(headersOf(federation.fleet.narrowed(0)) as Record<string, string>),
  'content-type': 'application/json',
  ...more,
})

const post = (body: object, more: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: headers(more),
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })

const mediaTypeOf = (response: Response) => response.headers.get('content-type')?.split(';')[0]

describe('a query gets the media type with the highest weight', () => {
  test.each([
    [URQL, 200, 'application/graphql-response+json'],
    ['*/*', 200, 'application/json'],
    ['application/json', 200, 'application/json'],
    ['application/json, text/event-stream;q=0.5', 200, 'application/json'],
    ['application/json;q=0.5, text/event-stream', 200, 'text/event-stream'],
    ['text/event-stream', 200, 'text/event-stream'],
    ['text/event-stream, */*;q=0.1', 200, 'text/event-stream'],
    ['text/event-stream;q=0, application/json', 200, 'application/json'],
    ['text/event-stream;q=0', 406, 'application/json'],
    [APOLLO_SUBSCRIPTION, 200, 'application/json'],
    [APOLLO_CLIENT, 200, 'application/json'],
    ['TEXT/Event-Stream', 200, 'text/event-stream'],
    ['text/event-stream;charset=UTF-8', 200, 'text/event-stream'],
    ['text/event-stream ; Charset="utf-8" , application/json ; Q=0.5', 200, 'text/event-stream'],
    ['text/event-stream;q="1"', 200, 'text/event-stream'],
    ['APPLICATION/JSON', 200, 'application/json'],
    ['application/json; charset=utf-8', 200, 'application/json'],
    ['application/json; charset=utf-8, text/event-stream', 200, 'application/json'],
    ['application/json; charset=utf-8; q=0.5, text/event-stream', 200, 'text/event-stream'],
    ['application/json;profile="a, text/event-stream;q=1", text/event-stream;q=0.5', 200, 'application/json'],
    ['application/json;v=1', 200, 'application/json'],
    ['application/json;streaming', 200, 'application/json'],
    ['application/json;', 200, 'application/json'],
    ['application/json;v="1', 200, 'application/json'],
    ['Application/GraphQL-Response+JSON;charset=utf-8', 200, 'application/graphql-response+json'],
    ['*/*;charset=utf-8', 200, 'application/json'],
    ['text/event-stream;charset=utf-8;q=0, application/json;q=0', 406, 'application/json'],
    ['text/csv;charset=utf-8', 406, 'application/json'],
  ])('Accept: %s', async (accept, status, mediaType) => {
    for (const _ of [1, 2]) {
      const response = await post({ query: QUERY }, { accept })
      expect([response.status, mediaTypeOf(response)]).toEqual([status, mediaType])
    }
  })

  test.each([
    [BROWSER, 'text/html'],
    ['text/html', 'text/html'],
    ['Text/HTML;charset=utf-8;level=1', 'text/html'],
    ['application/json;charset=utf-8, text/html', 'application/json'],
    ['application/json, text/html;q=0.1', 'application/json'],
    ['*/*', 'application/json'],
  ])('a GET with Accept: %s gets %s', async (accept, mediaType) => {
    const url = `${gateway.url}/graphql?query=${encodeURIComponent(QUERY)}`
    const response = await fetch(url, { headers: headers({ accept, 'apollo-require-preflight': '1' }) })
    expect(mediaTypeOf(response)).toBe(mediaType)
  })

  test('a mutation whose client accepts no media type of the response is not run', async () => {
    const mutation = 'mutation { updateConnection(input: { externalId: "own" }) { connection { id } } }'
    const idAfter = async (accept: string) => {
      const { status } = await post({ query: mutation }, { accept })
      const { data } = await gateway.graphql('{ connection { externalId } }')
      return [status, data]
    }
    const unchanged = await gateway.graphql('{ connection { externalId } }')
    for (const accept of ['text/csv', 'application/json;q=0'])
      expect(await idAfter(accept)).toEqual([406, unchanged.data])
    expect(await idAfter('*/*')).toEqual([200, { connection: { externalId: 'own' } }])
  })

  test('an unknown persisted query of urql gets PERSISTED_QUERY_NOT_FOUND', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } }
    const response = await post({ extensions }, { accept: URQL })
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    })
  })
})

describe('a subscription', () => {
  test.each([undefined, 'application/json', '*/*'])(
    'without a stream type gets 400 with the required header (Accept: %s)',
    async (accept) => {
      const response = await post({ query: SUBSCRIPTION }, accept === undefined ? {} : { accept })
      expect([response.status, await response.json()]).toEqual([
        400,
        {
          errors: [
            {
              message: expect.stringContaining('`Accept: text/event-stream`'),
              extensions: { code: 'BAD_USER_INPUT' },
            },
          ],
        },
      ])
    },
  )

  test('is a stream of server-sent events for a client that prefers JSON but accepts them', async () => {
    const disconnect = new AbortController()
    const response = await post({ query: SUBSCRIPTION }, { accept: URQL }, disconnect.signal)
    expect(mediaTypeOf(response)).toBe('text/event-stream')
    disconnect.abort()
  })

  test.each([
    ['text/event-stream;charset=UTF-8', 'text/event-stream'],
    ['TEXT/EVENT-STREAM', 'text/event-stream'],
    ['application/json; charset=utf-8, text/event-stream', 'text/event-stream'],
    [APOLLO_CLIENT, 'multipart/mixed'],
    ['multipart/mixed;boundary="a,b;c";subscriptionSpec="1.0", application/json', 'multipart/mixed'],
    ['multipart/mixed; subscriptionSpec=1.0; boundary=x', 'multipart/mixed'],
    ['MULTIPART/Mixed; SUBSCRIPTIONSPEC=1.0', 'multipart/mixed'],
    ['multipart/mixed', 'multipart/mixed'],
    ['multipart/mixed;q=0.5, text/event-stream;charset=utf-8;q=0.4', 'multipart/mixed'],
  ])('is a stream for Accept: %s', async (accept, mediaType) => {
    const disconnect = new AbortController()
    const response = await post({ query: SUBSCRIPTION }, { accept }, disconnect.signal)
    expect([response.status, mediaTypeOf(response)]).toEqual([200, mediaType])
    disconnect.abort()
  })

  test.each(['multipart/mixed;deferSpec=20220824', 'multipart/mixed;boundary=x;subscriptionSpec=2.0'])(
    'is not sent in the protocol of %s',
    async (accept) => {
      const response = await post({ query: SUBSCRIPTION }, { accept: `${accept}, application/json` })
      expect([response.status, mediaTypeOf(response)]).toEqual([400, 'application/json'])
    },
  )

  test('is a multipart response for clients of Apollo, each part complete when it is sent', async () => {
    const disconnect = new AbortController()
    const response = await post(
      { query: 'subscription ($after: ID) { events(after: $after) { id } }' },
      { accept: APOLLO_SUBSCRIPTION },
      disconnect.signal,
    )
    expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary=graphql;subscriptionSpec=1.0')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    /** Reads a part as Apollo Client does: it is complete when the next boundary arrives. */
    const nextPart = async (): Promise<unknown> => {
      for (;;) {
        const end = text.indexOf('\r\n--graphql')
        if (end === -1) {
          text += (await reader.read()).value
          continue
        }
        const part = text.slice(0, end)
        text = text.slice(end + '\r\n--graphql'.length)
        const body = part.slice(part.indexOf('\r\n\r\n')).trim()
        if (body !== '') return JSON.parse(body)
      }
    }
    expect(await nextPart()).toEqual({})
    for (const id of [
      await federation.appendEvent((position += 1)),
      await federation.appendEvent((position += 1)),
    ])
      expect(await nextPart()).toEqual({ payload: { data: { events: { id } } } })
    disconnect.abort()
  })

  test('with an unknown field is an error in JSON', async () => {
    const response = await post({ query: 'subscription { nothing { id } }' }, { accept: APOLLO_SUBSCRIPTION })
    expect([response.status, mediaTypeOf(response)]).toEqual([400, 'application/json'])
  })
})

test('an empty token of a reserved stream is no token', async () => {
  const response = await post({ query: QUERY }, { 'x-graphql-event-stream-token': '' })
  expect([response.status, mediaTypeOf(response)]).toEqual([200, 'application/json'])
})

describe('a request with the token of a reserved stream', () => {
  const mutation = 'mutation { updateConnection(input: { name: "renamed" }) { connection { name } } }'

  test('is not executed if this process does not have the stream', async () => {
    const response = await post({ query: mutation }, { 'x-graphql-event-stream-token': 'unknown' })
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { errors: [{ extensions: { code: 'NOT_FOUND' } }] },
    ])
    expect(await gateway.graphql('{ connection { name } }')).not.toMatchObject({
      data: { connection: { name: 'renamed' } },
    })
  })

  test('gets the same response in the URL, and for opening the stream', async () => {
    for (const [method, accept] of [
      ['POST', 'application/json'],
      ['GET', 'text/event-stream'],
      ['DELETE', '*/*'],
    ] as const) {
      const response = await fetch(`${gateway.url}/graphql?token=${randomUUID()}&operationId=1`, {
        method,
        headers:
          method === 'POST' ? headers({ accept }) : { ...headersOf(federation.fleet.narrowed(0)), accept },
        ...(method === 'POST' ? { body: JSON.stringify({ query: mutation }) } : {}),
      })
      expect([method, response.status]).toEqual([method, 404])
    }
  })
})
