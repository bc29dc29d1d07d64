import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import type { DocumentMode } from '../../../src/auth/document-mode.ts'
import { SessionScope, sessionScopes } from '../../../src/auth/session-scopes.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { updateApplication } from '../../../src/subgraphs/connections/applications/update-application.ts'
import { publishDocuments } from '../../../src/subgraphs/connections/trusted-documents/publish-documents.ts'
import { removeDocument } from '../../../src/subgraphs/connections/trusted-documents/remove-document.ts'
import { masterEncryption } from '../../support/factories.ts'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { transports } from '../../support/graph/graphql-transports.ts'
import { seedKey } from '../../support/rows/key-rows.ts'
import { seedSessions } from '../../support/rows/session-rows.ts'

const PUBLISHED = 'query Published { connections { nodes { id } } }'
const OTHER = 'query Other { connections { nodes { id status } } }'
const FOREIGN = 'query Foreign { connections { nodes { id } } }'
const CHANGES = 'subscription Changes { vehicleLocations { vehicle { id } } }'
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

let federation: FederationHarness
let gateway: GatewayClient

const publish = (applicationId: string, documents: Readonly<Record<string, string>>) =>
  publishDocuments(
    { db: federation.db, clock: systemClock },
    keyHolder(applicationId),
    Object.entries(documents).map(([documentId, text]) => ({ documentId, text })),
  )

beforeAll(async () => {
  federation = await FederationHarness.start([])
  gateway = await federation.startGateway()
  const { a, b } = federation.fleets
  await publish(a.id, { published: PUBLISHED, [hashOf(PUBLISHED)]: PUBLISHED, changes: CHANGES })
  await publish(b.id, { foreign: FOREIGN })
})
afterAll(() => federation[Symbol.asyncDispose]())

type Headers = Record<string, string>

const headersOf = async (documentMode: DocumentMode | null, applicationId = federation.fleets.a.id) => {
  const { value } = await seedKey(federation.db, applicationId, { documentMode })
  return { authorization: `Bearer ${value}` }
}

interface Answer {
  readonly status: number
  readonly data?: unknown
  readonly code?: string | undefined
}

async function answerOf(response: Response): Promise<Answer> {
  const { data, errors } = (await response.json()) as {
    data?: unknown
    errors?: readonly { readonly extensions: { readonly code: string } }[]
  }
  return { status: response.status, data, code: errors?.[0]?.extensions.code }
}

const post = async (headers: Headers, body: object): Promise<Answer> =>
  answerOf(
    await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

const get = async (headers: Headers, params: Record<string, string>): Promise<Answer> =>
  answerOf(
    await fetch(`${gateway.url}/graphql?${new URLSearchParams(params)}`, {
      headers: { ...headers, 'apollo-require-preflight': '1' },
    }),
  )

const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } })
const runs = { status: 200, data: { connections: { nodes: expect.any(Array) } }, code: undefined }
const refused = (status: number, code: string) => ({ status, data: undefined, code })
const untrusted = refused(403, 'DOCUMENT_NOT_TRUSTED')
const unknown = refused(400, 'DOCUMENT_NOT_FOUND')

describe('a published document', () => {
  test.each(['allow', 'only', null] as const)('runs by its id with the mode %s', async (mode) => {
    const headers = await headersOf(mode)
    expect(await post(headers, { documentId: 'published' })).toEqual(runs)
    expect(await get(headers, { documentId: 'published' })).toEqual(runs)
    expect(await post(headers, { documentId: `sha256:${hashOf(PUBLISHED)}` })).toEqual(runs)
    const variables = { documentId: 'published', variables: {}, operationName: 'Published' }
    expect(await post(headers, variables)).toEqual(runs)
    expect(await post(headers, { documentId: 'published', operationName: 'Missing' })).toMatchObject({
      status: 400,
    })
  })

  test('runs by its hash as a persisted query that was never registered', async () => {
    const headers = await headersOf('only')
    const extensions = persisted(hashOf(PUBLISHED))
    expect(await post(headers, { extensions })).toEqual(runs)
    expect(await get(headers, { extensions: JSON.stringify(extensions) })).toEqual(runs)
  })

  test('runs by its text if only published documents may run', async () => {
    const headers = await headersOf('only')
    for (const _ of [1, 2, 3]) expect(await post(headers, { query: PUBLISHED })).toEqual(runs)
    expect(await get(headers, { query: PUBLISHED })).toEqual(runs)
  })

  test.each(['SSE on a separate stream', 'SSE on a reserved stream', 'websocket', 'POST, the first time'])(
    'runs by its id over %s',
    async (name) => {
      const request = { query: '', documentId: 'published' }
      const answer = await transports[name]!.ask(gateway, await headersOf('only'), request)
      expect(answer).toContain('"nodes":[{"id":"conn_')
      const unlisted = await transports[name]!.ask(gateway, await headersOf('only'), {
        ...request,
        documentId: 'missing',
      })
      // The client of a reserved stream reports the status alone.
      expect(unlisted).toMatch(/DOCUMENT_NOT_FOUND|responded with 400/)
    },
  )

  test('starts a subscription by its id, also for a client that prefers JSON', async () => {
    const abort = new AbortController()
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        ...(await headersOf('only')),
        'content-type': 'application/json',
        accept: 'multipart/mixed;subscriptionSpec=1.0,application/json',
      },
      body: JSON.stringify({ documentId: 'changes' }),
      signal: abort.signal,
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('multipart/mixed'),
    ])
    abort.abort()
  })

  test('belongs to its application', async () => {
    const headers = await headersOf('only')
    expect(await post(headers, { documentId: 'foreign' })).toEqual(unknown)
    expect(await post(headers, { query: FOREIGN })).toEqual(untrusted)
    const own = await headersOf('only', federation.fleets.b.id)
    expect(await post(own, { documentId: 'foreign' })).toEqual(runs)
  })

  test('is refused after its removal', async () => {
    const deps = { db: federation.db, clock: systemClock }
    const { id } = federation.fleets.a
    await publish(id, { outdated: `${PUBLISHED} # outdated` })
    await removeDocument(deps, keyHolder(id), 'outdated')
    const headers = await headersOf('only')
    expect(await post(headers, { documentId: 'outdated' })).toEqual(unknown)
    expect(await post(headers, { query: `${PUBLISHED} # outdated` })).toEqual(untrusted)
    await expect(removeDocument(deps, keyHolder(id), 'outdated')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('any other document', () => {
  test.each(Object.keys(transports).filter((name) => transports[name]!.types.length > 0))(
    'is refused over %s if only published documents may run',
    async (name) => {
      const { ask } = transports[name]!
      expect(await ask(gateway, await headersOf('allow'), { query: OTHER })).toContain('"data"')
      const answer = await ask(gateway, await headersOf('only'), { query: OTHER })
      expect(answer).toMatch(/DOCUMENT_NOT_TRUSTED|responded with 403/)
      expect(answer).not.toContain('conn_')
    },
  )

  test('is refused with status 403 and an explanation', async () => {
    const headers = await headersOf('only')
    expect(await post(headers, { query: OTHER })).toEqual(untrusted)
    expect(await get(headers, { query: OTHER })).toEqual(untrusted)
    expect(await post(headers, { query: '{ __schema { types { name } } }' })).toEqual(untrusted)
  })

  test('is not registered as a persisted query by a caller that may not run it', async () => {
    const extensions = persisted(hashOf(FOREIGN))
    const headers = await headersOf('only')
    expect(await post(headers, { extensions })).toMatchObject({ code: 'PERSISTED_QUERY_NOT_FOUND' })
    expect(await post(headers, { query: FOREIGN, extensions })).toEqual(untrusted)
    expect(await post(await headersOf('allow'), { extensions })).toMatchObject({
      code: 'PERSISTED_QUERY_NOT_FOUND',
    })
  })

  test('is registered as a persisted query for its application alone', async () => {
    const query = `${OTHER} # registered`
    const extensions = persisted(hashOf(query))
    expect(await post(await headersOf(null), { query, extensions })).toEqual(runs)
    expect(await post(await headersOf(null), { extensions })).toEqual(runs)
    expect(await post(await headersOf(null, federation.fleets.b.id), { extensions })).toMatchObject({
      code: 'PERSISTED_QUERY_NOT_FOUND',
    })
  })
})

test('with the mode `off`, documents run by their texts only', async () => {
  const headers = await headersOf('off')
  expect(await post(headers, { documentId: 'published' })).toEqual(unknown)
  expect(await post(headers, { query: OTHER })).toEqual(runs)
  expect(await post(headers, { query: OTHER, documentId: 'published' })).toEqual(runs)
})

test('the text replaces an id that is unknown', async () => {
  const request = { query: OTHER, documentId: 'missing' }
  expect(await post(await headersOf('allow'), request)).toEqual(runs)
  expect(await post(await headersOf('only'), request)).toEqual(untrusted)
})

test.each([5, {}, ['published'], true])('a document id of the form %j is refused', async (documentId) => {
  expect(await post(await headersOf('allow'), { documentId })).toEqual(refused(400, 'BAD_USER_INPUT'))
})

test('a request by an id is authenticated', async () => {
  expect(await post({}, { documentId: 'published' })).toEqual(refused(401, 'UNAUTHENTICATED'))
})

test('REST and its fixed operations stay as they are', async () => {
  const { connections } = federation.fleets.a
  const headers = { ...(await headersOf('only')), 'connection-token': connections[0]!.token }
  expect((await fetch(`${gateway.url}/tsp/v1/vehicles`, { headers })).status).toBe(200)
})

describe('the mode of an application', () => {
  const sessionHeaders = async (documentMode: DocumentMode | null, scopes = [...sessionScopes]) => {
    const { key } = await seedKey(federation.db, federation.fleets.b.id, { documentMode })
    const applicationId = federation.fleets.b.id
    const [session] = await seedSessions(federation.db, applicationId, 1, { keyId: key.id, scopes })
    const tokens = sessionTokens(masterEncryption, systemClock)
    const claims = { sessionId: session!.id, applicationId }
    const token = await tokens.issue(claims, systemClock.now(), session!.expiresAt)
    return { authorization: `Bearer ${token}` }
  }

  test('does not depend on the scopes of a session', async () => {
    await publish(federation.fleets.b.id, { fleet: '{ vehicles(first: 1) { nodes { id } } }' })
    const headers = await sessionHeaders('only', [SessionScope.READ_FLEET])
    expect(await post(headers, { documentId: 'fleet' })).toMatchObject({ status: 200, code: undefined })
    expect(await post(headers, { extensions: persisted(hashOf(OTHER)) })).toMatchObject({
      code: 'PERSISTED_QUERY_NOT_FOUND',
    })
    expect(await post(headers, { query: OTHER })).toEqual(untrusted)
  })

  test('applies to its keys without a mode and to its sessions', async () => {
    const { b } = federation.fleets
    const change = (documentMode: DocumentMode | null) =>
      updateApplication({ db: federation.db, clock: systemClock }, keyHolder(b.id), { documentMode })
    await change('only')
    expect(await post(await headersOf(null, b.id), { query: OTHER })).toEqual(untrusted)
    expect(await post(await headersOf('allow', b.id), { query: OTHER })).toEqual(runs)
    // Servers may have a key that runs any document. The browsers that it signs in may not.
    expect(await post(await sessionHeaders('allow'), { query: OTHER })).toEqual(untrusted)
    expect(await post(await sessionHeaders('allow'), { documentId: 'foreign' })).toEqual(runs)
    await change(null)
    expect(await post(await headersOf(null, b.id), { query: OTHER })).toEqual(runs)
    expect(await post(await sessionHeaders(null), { query: OTHER })).toEqual(runs)
    expect(await post(await sessionHeaders('only'), { query: OTHER })).toEqual(untrusted)
  })
})

test('a document costs a statement once, and not for each request', async () => {
  const headers = await headersOf('only')
  await publish(federation.fleets.a.id, { counted: `${PUBLISHED} # counted` })
  const statements: string[] = []
  const stop = federation.db.onStatement((sql) => void statements.push(sql))
  for (const _ of [1, 2, 3]) expect(await post(headers, { documentId: 'counted' })).toEqual(runs)
  stop()
  expect(statements.filter((sql) => sql.includes('trusted_documents'))).toHaveLength(1)
})
