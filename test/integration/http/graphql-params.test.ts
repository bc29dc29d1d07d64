import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

const QUERY = '{ connection { status } }'
const NAMED = 'query Status { connection { status } }'
const JSON_TYPE = 'application/json'
const SSE_TYPE = 'text/event-stream'

describe.each([
  ['in process', []],
  ['remote', ['connections']],
] as const)('with the subgraphs %s', (_where, remote) => {
  let federation: FederationHarness
  let gateway: GatewayClient

  beforeAll(async () => {
    federation = await FederationHarness.start([...remote])
    gateway = await federation.startGateway()
  })
  afterAll(() => federation[Symbol.asyncDispose]())

  const headers = (accept: string): Record<string, string> => ({
    ...(headersOf(federation.fleet.narrowed(0)) as Record<string, string>),
    'content-type': 'application/json',
    accept,
  })

  async function answerOf(response: Response) {
    const [text = ''] = /\{.*\}/.exec(await response.text()) ?? []
    const { data, errors } = JSON.parse(text) as { data?: unknown; errors?: readonly ErrorBody[] }
    return { status: response.status, data, codes: errors?.map(({ extensions }) => extensions.code) }
  }
  const get = async (search: string, accept = JSON_TYPE) =>
    answerOf(await fetch(`${gateway.url}/graphql?${search}`, { headers: headers(accept) }))
  const post = async (body: object, accept = JSON_TYPE) =>
    answerOf(
      await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: headers(accept),
        body: JSON.stringify(body),
      }),
    )

  const done = { status: 200, data: { connection: { status: 'CONNECTED' } }, codes: undefined }

  describe.each([JSON_TYPE, SSE_TYPE])('for Accept: %s', (accept) => {
    const byGet = `query=${encodeURIComponent(NAMED)}`

    test.each([
      'variables=',
      'variables=null',
      'extensions=',
      'extensions=null',
      'operationName=',
      'operationName=&variables=&extensions=',
      'operationName=Status&variables={}&extensions={}',
      'variables=%20null',
    ])('a GET with %s runs', async (params) => {
      expect(await get(`${byGet}&${params}`, accept)).toEqual(done)
      expect(await get(`${params}&${byGet}`, accept)).toEqual(done)
    })

    test.each([
      { operationName: '' },
      { operationName: null, variables: null, extensions: null },
      { operationName: 'Status', variables: {}, extensions: {} },
    ])('a POST with %j runs', async (params) => {
      expect(await post({ query: NAMED, ...params }, accept)).toEqual(done)
    })

    test('an empty name runs a document that the service has not seen before', async () => {
      const query = `${NAMED} # new for ${accept}`
      expect(await post({ query, operationName: '' }, accept)).toEqual(done)
    })

    test.each(['variables={', 'variables=[]', 'variables=1', 'variables=&variables=', 'operationName=Other'])(
      'a GET with %s is refused',
      async (params) => {
        const { data, codes, status } = await get(`${byGet}&${params}`, accept)
        expect([data, codes?.length]).toEqual([undefined, 1])
        expect(codes?.[0]).not.toBe('INTERNAL_SERVER_ERROR')
        expect([200, 400]).toContain(status)
      },
    )

    test('an empty name does not choose between two operations', async () => {
      const { data, codes } = await post(
        { query: `${NAMED} query Other { __typename }`, operationName: '' },
        accept,
      )
      expect([data, codes?.length]).toEqual([undefined, 1])
      expect(codes?.[0]).not.toBe('INTERNAL_SERVER_ERROR')
    })

    test.each([
      {},
      { version: 2, sha256Hash: hashOf(QUERY) },
      { version: '1', sha256Hash: hashOf(QUERY) },
      1,
      'x',
    ])('clients learn that a persisted query of the form %j is not supported', async (persistedQuery) => {
      const unsupported = { status: 200, data: undefined, codes: ['PERSISTED_QUERY_NOT_SUPPORTED'] }
      for (const query of [{ query: QUERY }, {}])
        expect(await post({ ...query, extensions: { persistedQuery } }, accept)).toEqual(unsupported)
      const extensions = encodeURIComponent(JSON.stringify({ persistedQuery }))
      expect(await get(`extensions=${extensions}`, accept)).toEqual(unsupported)
    })

    test.each([hashOf('{ other }'), hashOf(QUERY).toUpperCase(), '', 5, null])(
      'a persisted query with the wrong hash %j is refused, and is not stored',
      async (sha256Hash) => {
        const body = { query: QUERY, extensions: { persistedQuery: { version: 1, sha256Hash } } }
        for (const _ of [1, 2])
          expect(await post(body, accept)).toEqual({
            status: 400,
            data: undefined,
            codes: ['BAD_USER_INPUT'],
          })
      },
    )
  })

  test('a persisted query whose hash is no text is refused, also without the query', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 5 } }
    for (const accept of [JSON_TYPE, SSE_TYPE])
      expect(await post({ extensions }, accept)).toMatchObject({ status: 400, codes: ['BAD_USER_INPUT'] })
  })

  test('a persisted query runs after its registration, also by GET', async () => {
    const query = `${QUERY} # persisted`
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(query) } }
    expect(await post({ extensions })).toMatchObject({ codes: ['PERSISTED_QUERY_NOT_FOUND'] })
    expect(await post({ query, extensions })).toEqual(done)
    expect(await post({ extensions })).toEqual(done)
    expect(await get(`extensions=${encodeURIComponent(JSON.stringify(extensions))}`)).toEqual(done)
  })

  test.each([
    ['text', { 'content-type': 'application/xml' }, '<a/>', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['another encoding', { 'content-encoding': 'gzip' }, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['broken JSON', {}, '{', 400, 'BAD_USER_INPUT'],
    ['too many bytes', {}, JSON.stringify({ query: ' '.repeat(3_000_000) }), 413, 'PAYLOAD_TOO_LARGE'],
  ])('a body of %s is refused in the form of GraphQL', async (_what, more, body, status, code) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...headers(JSON_TYPE), ...more },
      body,
    })
    expect(await answerOf(response)).toEqual({ status, data: undefined, codes: [code] })
  })

  test.each([JSON_TYPE, SSE_TYPE])(
    'broken JSON is named as the problem to a client of %s',
    async (accept) => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: headers(accept),
        body: '{"query": ',
      })
      const message = 'The body is not valid JSON.'
      expect(await response.json()).toMatchObject({
        errors: [{ message, extensions: { detail: [{ message, path: '{requestBody}' }] } }],
      })
    },
  )

  test('an event stream runs a persisted query after its registration', async () => {
    const query = `${QUERY} # streamed`
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(query) } }
    expect(await post({ extensions }, SSE_TYPE)).toMatchObject({ codes: ['PERSISTED_QUERY_NOT_FOUND'] })
    expect(await post({ query, extensions }, SSE_TYPE)).toEqual(done)
    expect(await post({ extensions }, SSE_TYPE)).toEqual(done)
  })
})

interface ErrorBody {
  readonly extensions: { readonly code: string }
}

function hashOf(query: string): string {
  return createHash('sha256').update(query).digest('hex')
}
