import { createHmac } from 'node:crypto'
import { parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SessionScope, sessionScopes } from '../../../src/auth/session-scopes.ts'
import type { Context, ContextFor } from '../../../src/gateway/context.ts'
import { createGateway, type Gateway } from '../../../src/gateway/gateway.ts'
import { keyHolder } from '../../../src/auth/caller.ts'
import { chooseOperation, type Operation, soleOperation } from '../../../src/gateway/operation.ts'
import { signedIdentity } from '../../../src/gateway/remote/identity-headers.ts'
import { scopesOfRoot } from '../../../src/gateway/authorization/field-scopes.ts'
import type { Database } from '../../../src/storage/database.ts'
import { callerOf, type ApiClient, temporaryDatabase } from '../../support/factories.ts'
import { seedFleets, type SeededFleets } from '../../support/graph/fleets.ts'
import {
  type Answer,
  authenticatorOver,
  contextsOver,
  silent,
  supergraph,
} from '../../support/graph/graph-harness.ts'
import { sessionOver } from '../../support/rows/session-rows.ts'

const { apiSchema } = supergraph
const scopeFor = (field: string) => scopesOfRoot(field)?.session ?? null
const needsScope = (field: string) => scopeFor(field) !== 'any'
const namesOf = (type: ReturnType<typeof apiSchema.getQueryType>) => Object.keys(type!.getFields())

describe('a session', () => {
  let db: Database & AsyncDisposable
  let gateway: Gateway
  let contextFor: ContextFor
  let fleets: SeededFleets

  beforeAll(async () => {
    db = await temporaryDatabase('sqlite')
    fleets = await seedFleets(db)
    contextFor = contextsOver(db)
    gateway = createGateway({ authenticate: authenticatorOver(db), contextFor, log: silent })
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const contextOf = (client: ApiClient) => contextFor({ caller: callerOf(client), credentials: {} })

  async function answerTo(client: ApiClient, text: string): Promise<Answer> {
    const answer = await gateway.execute({ operation: soleOperation(text), context: contextOf(client) })
    return JSON.parse(JSON.stringify(answer)) as Answer
  }

  const refusal = ({ errors }: Answer) => errors?.find(({ extensions }) => extensions?.code === 'FORBIDDEN')

  test.each(namesOf(apiSchema.getMutationType()))('is refused the mutation %s', async (mutation) => {
    const answer = await answerTo(sessionOver(fleets.a, null), `mutation { ${mutation} { __typename } }`)
    expect(answer.data).toBeNull()
    expect(refusal(answer)?.message).toBe('A session may only read.')
  })

  test('is refused a mutation in a fragment, or in a document with a query', async () => {
    const session = sessionOver(fleets.a, null)
    const hidden = `query A { vehicles { nodes { id } } } mutation B { ...Hidden }
      fragment Hidden on Mutation { archiveConnection(input: {}) { connection { id } } }`
    const context = contextOf(session)
    const operation = chooseOperation(parse(hidden), 'B') as Operation
    const answer = await gateway.execute({ operation, context })
    expect(answer.errors?.[0]?.extensions['code']).toBe('FORBIDDEN')
  })

  test('has no writes in its context', () => {
    const context = contextOf(sessionOver(fleets.a, null))
    const getters = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(context) as Context)
    const writers = Object.keys(getters).filter((name) => /writes$/i.test(name))
    expect(writers).toContain('writes')
    for (const name of writers)
      expect(() => context[name as keyof Context]).toThrow('A session may only read.')
  })

  const roots = [
    ...namesOf(apiSchema.getQueryType()),
    ...namesOf(apiSchema.getSubscriptionType()).filter((name) => name === 'syncProgress'),
  ]

  test('has a scope for each of its root fields, and none for unknown names', () => {
    expect(roots.filter((name) => scopeFor(name) !== null).length).toBeGreaterThan(30)
    for (const name of ['sessions', 'nothing', 'constructor', 'toString']) expect(scopeFor(name)).toBeNull()
  })

  test('may read the viewer with any scope', async () => {
    expect(roots.filter((field) => !needsScope(field))).toEqual(['viewer'])
    for (const scope of sessionScopes) {
      const { data } = await answerTo(sessionOver(fleets.a, [0], [scope]), '{ viewer { sessionScopes } }')
      expect(data).toEqual({ viewer: { sessionScopes: [scope] } })
    }
  })

  test.each(roots.filter(needsScope))('is refused %s without the scope of the field', async (field) => {
    const scope = scopeFor(field) as SessionScope | null
    const others = sessionScopes.filter((one) => one !== scope)
    const [kind, type] = field === 'syncProgress' ? ['subscription', 'Subscription'] : ['query', 'Query']
    for (const text of [
      `${kind} { ${field} { __typename } }`,
      `${kind} { ...Q } fragment Q on ${type} { ... { it: ${field} { __typename } } }`,
    ]) {
      const message = refusal(await answerTo(sessionOver(fleets.a, null, others), text))?.message
      expect(message).toBe(
        scope ? `The session has no scope ${scope}.` : `A session cannot read \`${field}\`.`,
      )
      const admitted = await answerTo(sessionOver(fleets.a, null, scope ? [scope] : sessionScopes), text)
      if (scope) expect(refusal(admitted)?.message ?? '').not.toMatch(/session/)
      else expect(refusal(admitted)?.message).toBe(message)
    }
  })

  test.each([
    [
      SessionScope.READ_FLEET,
      '{ vehicles(first: 1) { nodes { name trips { nodes { id } } } } }',
      'READ_RECORDS',
    ],
    [
      SessionScope.READ_FLEET,
      '{ vehicles(first: 1) { nodes { name latestLocation { speed } } } }',
      'READ_TELEMETRY',
    ],
    [SessionScope.READ_RECORDS, '{ trips(first: 1) { nodes { id vehicle { name } } } }', 'READ_FLEET'],
    [
      SessionScope.READ_TELEMETRY,
      '{ vehicleLocations(first: 1) { nodes { vehicle { name } } } }',
      'READ_FLEET',
    ],
    [
      SessionScope.READ_EVENTS,
      '{ events(first: 1) { nodes { id connection { status } } } }',
      'READ_CONNECTIONS',
    ],
    [
      SessionScope.READ_CONNECTIONS,
      '{ connections { nodes { id vehicles { nodes { id } } } } }',
      'READ_FLEET',
    ],
  ])('with only %s is refused other parts of %s', async (scope, text, missing) => {
    const session = sessionOver(fleets.a, null, [scope])
    expect(refusal(await answerTo(session, text))?.message).toBe(`The session has no scope ${missing}.`)
    const both = sessionOver(fleets.a, null, [scope, missing as SessionScope])
    expect((await answerTo(both, text)).errors).toBeUndefined()
  })

  test('sees no connection tokens, also not in events', async () => {
    const session = sessionOver(fleets.a, null)
    const { token } = fleets.a.connections[0]!
    const text = '{ events(first: 1000) { nodes { type detail } } }'
    expect(JSON.stringify(await answerTo(session, text))).not.toContain('con_tkn_')
    const tokens = await answerTo(session, '{ connections { nodes { token } } }')
    expect(refusal(tokens)?.message).toBe('A session cannot read connection tokens.')
    expect(JSON.stringify(tokens)).not.toContain(token)
    const page = await answerTo(session, '{ connections(first: 1) { nodes { status token } } }')
    expect(page.data).toEqual({ connections: { nodes: [{ status: 'CONNECTED', token: null }] } })
    expect(page.errors).toMatchObject([{ path: ['connections', 'nodes', 0, 'token'] }])
  })

  test("is identified to an operator's own subgraph by signed headers", () => {
    const session = sessionOver(fleets.a, [1, 0])
    const { applicationId, connectionIds, session: access } = session.caller!
    const { identity } = contextOf(session)
    expect(identity).toEqual({
      'x-odograph-application': applicationId,
      'x-odograph-connection': connectionIds!.join(','),
      'x-odograph-session': access!.id,
    })
    const secret = 'not a real secret of anybody'
    const headers = signedIdentity(secret, () => 7000)({ identity, forwarded: {} })
    const signed = `7.${applicationId}.${connectionIds!.join(',')}.${access!.id}`
    const signatureOf = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
    expect(headers['x-odograph-signature']).toBe(signatureOf(signed))
  })

  test.each([
    [null, null, '7.APP.'],
    [null, ['hos:read', 'trips:read'], '7.APP...hos:read,trips:read'],
    ['ses_1', ['hos:read'], '7.APP..ses_1.hos:read'],
  ] as const)('with the session %s and the key scopes %j has a signature over %s', (id, scopes, signed) => {
    const { applicationId } = fleets.a.client
    const keyClient = {
      ...fleets.a.client,
      caller: keyHolder(applicationId, null, { id: 'key_1', scopes, expiresAt: null }),
    }
    const base = sessionOver(fleets.a, null)
    const { caller } = base
    const session = {
      ...base,
      caller: { ...caller!, session: { ...caller!.session!, id: id ?? '', keyScopes: scopes } },
    }
    const { identity } = contextOf(id === null ? keyClient : session)
    expect(identity['x-odograph-scopes']).toBe(scopes?.join(','))
    const secret = 'not a real secret of anybody'
    const headers = signedIdentity(secret, () => 7000)({ identity, forwarded: {} })
    const text = signed.replace('APP', applicationId)
    expect(headers['x-odograph-signature']).toBe(createHmac('sha256', secret).update(text).digest('hex'))
  })
})
