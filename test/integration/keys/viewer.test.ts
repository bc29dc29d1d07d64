import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SessionScope } from '../../../src/auth/session-scopes.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { masterEncryption } from '../../support/factories.ts'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import type { Answer } from '../../support/graph/graph-harness.ts'
import { postGraphql } from '../../support/graph/graphql-transports.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'
import { seedKey } from '../../support/rows/key-rows.ts'
import { seedSessions } from '../../support/rows/session-rows.ts'

const VIEWER = 'kind applicationId keyId sessionId scopes sessionScopes expiresAt connections { id }'
const HOUR_MS = 3_600_000

let federation: FederationHarness
const gateways: Partial<Record<string, GatewayClient>> = {}

beforeAll(async () => {
  federation = await FederationHarness.start()
  gateways['in process'] = await federation.startGateway({ remoteSubgraphs: new Map() })
  gateways['federated'] = await federation.startGateway()
})
afterAll(() => federation[Symbol.asyncDispose]())

describe.each(['in process', 'federated'])('viewer, %s', (name) => {
  async function ask(headers: Record<string, string>, query: string): Promise<Answer> {
    return JSON.parse(await postGraphql(gateways[name]!, headers, { query })) as Answer
  }

  const viewerFor = async (headers: Record<string, string>): Promise<unknown> => {
    const { data, errors } = await ask(headers, `{ viewer { ${VIEWER} } }`)
    expect(errors).toBeUndefined()
    return data!['viewer']
  }

  test('is the key, with its scopes and when it expires', async () => {
    const { fleet, db } = federation
    const expiresAt = Date.now() + HOUR_MS
    const made = await seedKey(db, fleet.id, { scopes: ['hos:read', 'admin'], expiresAt })
    expect(await viewerFor({ authorization: `Bearer ${made.value}` })).toEqual({
      kind: 'KEY',
      applicationId: fleet.id,
      keyId: made.key.id,
      sessionId: null,
      scopes: ['HOS_READ', 'ADMIN'],
      sessionScopes: null,
      expiresAt: new Date(expiresAt).toISOString(),
      connections: null,
    })
  })

  test('is restricted to the connection of a connection token', async () => {
    const { fleet } = federation
    const headers = headersOf(fleet.narrowed(0)) as Record<string, string>
    const { connection } = fleet.connections[0]!
    expect(await viewerFor(headers)).toMatchObject({
      scopes: null,
      expiresAt: null,
      connections: [{ id: connection.id }],
    })
    const { data } = await ask(
      headers,
      '{ viewer { connections { id name: externalId provider { code } } } }',
    )
    expect(data!['viewer']).toEqual({
      connections: [
        { id: connection.id, name: connection.externalId, provider: { code: connection.provider } },
      ],
    })
  })

  test('is the session, with its scopes and those of its key', async () => {
    const { fleet, db } = federation
    const { key } = await seedKey(db, fleet.id, { scopes: ['vehicles:read', 'sessions:write'] })
    const { connection } = fleet.connections[1]!
    const [row] = await seedSessions(db, fleet.id, 1, {
      connectionIds: [connection.id],
      scopes: [SessionScope.READ_TELEMETRY],
      keyId: key.id,
    })
    const tokens = sessionTokens(masterEncryption, systemClock)
    const now = Date.now()
    const claims = { sessionId: row!.id, applicationId: fleet.id }
    const headers = { authorization: `Bearer ${await tokens.issue(claims, now, now + HOUR_MS)}` }
    expect(await viewerFor(headers)).toEqual({
      kind: 'SESSION',
      applicationId: fleet.id,
      keyId: null,
      sessionId: row!.id,
      scopes: ['VEHICLES_READ', 'SESSIONS_WRITE'],
      sessionScopes: ['READ_TELEMETRY'],
      expiresAt: new Date(row!.expiresAt).toISOString(),
      connections: [{ id: connection.id }],
    })
    // The other fields of a connection require their scope.
    const { data, errors } = await ask(headers, '{ viewer { kind connections { id externalId } } }')
    expect(data).toBeNull()
    expect(errors![0]!.extensions).toMatchObject({
      code: 'FORBIDDEN',
      detail: 'Missing scope: connections:read',
    })
  })

  test('requires credentials', async () => {
    const { errors } = await ask({}, '{ viewer { kind } }')
    expect(errors![0]!.extensions!['code']).toBe('UNAUTHENTICATED')
  })
})
