import { getNamedType, isInterfaceType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyScope, keyScopes } from '../../../src/auth/key-scopes.ts'
import { requiredKeyScopes, type SessionScope, sessionScopes } from '../../../src/auth/session-scopes.ts'
import { type ContextFor } from '../../../src/gateway/context.ts'
import {
  rootsWithScopes,
  scopeOfType,
  scopesOfRoot,
  typesWithScopes,
} from '../../../src/gateway/authorization/field-scopes.ts'
import { createGateway, type Gateway } from '../../../src/gateway/gateway.ts'
import { soleOperation } from '../../../src/gateway/operation.ts'
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
import { remoteSubgraphsAt } from '../../support/graph/subgraph-server.ts'
import { keyOver } from '../../support/rows/key-rows.ts'

const { apiSchema } = supergraph
const rootTypes = [apiSchema.getQueryType()!, apiSchema.getMutationType()!, apiSchema.getSubscriptionType()!]
const rootFields = rootTypes.flatMap((type) =>
  Object.keys(type.getFields()).map((field): [string, string] => [type.name, field]),
)

/** Types without a scope. The scope of the containing record applies. */
const PARTS =
  `Company ProviderAccount AccountUser Provider ProviderModel ProviderReference ProviderUserGuide Agreement IssueError
  PageInfo PassthroughResponse WebhookRequest WebhookResponse WebhookSecret WebhookHeader LicensePlate EntityMetadata RawData
  DriverLicense GeoPoint RecordMetadata CameraMediaReference CameraFile SafetyEventStats HosRemark HosStatusDurations
  HosDistances HosClocks J1939FaultCode ObdiiFaultCode CameraMediaFile UtilizationDurations Address FuelLevel
  SeriesMetadata Node Viewer HeldRemoval Merchant MerchantAddress PurchaseAmount PurchasedFuel PurchaseReason
  PurchaseDecisionByStage PurchaseCountByStage PurchaseAmountsByStage PurchaseRuleResults PurchaseEvidence PurchaseReconciliation PurchaseRuleSettings
  PurchaseReplaySummary PurchaseReplayDecisions PurchaseDecisionCounts PurchaseReplayRule PurchaseReplayRuleCounts VehicleFacts
  IftaReturn IftaReturnLine IftaReportGap`.split(/\s+/)

describe('the table of scopes', () => {
  test('has exactly the root fields of the API', () => {
    const fields = new Set(rootFields.map(([, field]) => field))
    expect(rootsWithScopes.toSorted()).toEqual([...fields].toSorted())
    expect(new Set(rootsWithScopes).size).toBe(rootsWithScopes.length)
  })

  test('has every type of record, and no unknown type', () => {
    const types = Object.values(apiSchema.getTypeMap())
      .filter((type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'))
      .map(({ name }) => name)
    const withoutScope = types.filter(
      (name) =>
        !PARTS.includes(name) &&
        !rootTypes.some((root) => root.name === name) &&
        !name.endsWith('Payload') &&
        !name.endsWith('StatLog') &&
        scopeOfType(name) === null,
    )
    expect(withoutScope).toEqual([])
    expect(typesWithScopes.filter((name) => !types.includes(name))).toEqual([])
    expect(PARTS.filter((name) => !types.includes(name) || scopeOfType(name) !== null)).toEqual([])
  })

  test('matches the key scopes that a session scope requires', () => {
    const needed = (scope: SessionScope) =>
      rootsWithScopes
        .map((field) => scopesOfRoot(field)!)
        .flatMap(({ key, session }) => {
          return session === scope && key !== null ? [key] : []
        })
    for (const scope of sessionScopes)
      expect([scope, needed(scope).filter((key) => !requiredKeyScopes[scope].includes(key))]).toEqual([
        scope,
        [],
      ])
    const required = Object.values(requiredKeyScopes).flat()
    expect(required).toHaveLength(new Set(required).size)
    expect(keyScopes.filter((key) => key.endsWith(':read') && !required.includes(key))).toEqual([
      'webhooks:read',
      'purchases:read',
    ])
  })

  test('uses every scope except links:write, which the link pages use', () => {
    const used = new Set([
      ...rootsWithScopes.map((field) => scopesOfRoot(field)!.key),
      ...typesWithScopes.map((name) => scopeOfType(name)),
    ])
    expect(keyScopes.filter((scope) => !used.has(scope) && scope !== 'links:write')).toEqual([])
  })

  test('has the same scope for a root field and for its type', () => {
    for (const type of [rootTypes[0]!, rootTypes[2]!])
      for (const { name, type: answer } of Object.values(type.getFields())) {
        const scope = scopeOfType(getNamedType(answer).name)
        // A fuel tax report has distances and purchases, so it requires both scopes.
        if (name === 'iftaReport')
          expect([scope, scopesOfRoot(name)!.key]).toEqual(['ifta:read', 'purchases:read'])
        else if (scope !== null) expect([name, scopesOfRoot(name)!.key]).toEqual([name, scope])
      }
  })
})

describe('a key', () => {
  let db: Database & AsyncDisposable
  let gateway: Gateway
  let contextFor: ContextFor
  let fleets: SeededFleets
  let statements = 0

  beforeAll(async () => {
    db = await temporaryDatabase('sqlite')
    fleets = await seedFleets(db)
    const rows: Database['rows'] = (sql, parameters) => {
      statements += 1
      return db.rows(sql, parameters)
    }
    contextFor = contextsOver({ ...db, rows })
    gateway = createGateway({ authenticate: authenticatorOver(db), contextFor, log: silent })
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function execute(client: ApiClient, text: string, variables = {}): Promise<Answer> {
    const context = contextFor({ caller: callerOf(client), credentials: {} })
    const answer = await gateway.execute({ operation: soleOperation(text), variables, context })
    return JSON.parse(JSON.stringify(answer)) as Answer
  }

  const missingScopeIn = ({ data, errors }: Answer): string | null => {
    const detail = errors?.map(({ extensions }) => (extensions as { detail?: unknown })?.detail)
    const named = /^Missing scope: (\S+)$/.exec(String(detail?.[0]))?.[1] ?? null
    if (named) expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN')
    if (named) expect([null, { node: null }, { nodes: null }]).toContainEqual(data)
    return named
  }

  const missingScope = async (scopes: readonly KeyScope[] | null, text: string, variables = {}) =>
    missingScopeIn(await execute(keyOver(fleets.a, scopes), text, variables))

  test.each(rootFields)('gets FORBIDDEN for %s.%s with the missing scope', async (type, field) => {
    const { key: scope } = scopesOfRoot(field)!
    const others = keyScopes.filter((one) => one !== scope && one !== scope?.replace(':read', ':write'))
    const kind = type.toLowerCase()
    for (const text of [
      `${kind} { ${field} { __typename } }`,
      `${kind} { ...R } fragment R on ${type} { ... { it: ${field} { __typename } } }`,
    ]) {
      expect(await missingScope(others, text)).toBe(scope)
      const scopes: KeyScope[] = scope === null ? ['syncs:write'] : [scope]
      if (field === 'iftaReport') {
        expect(await missingScope(scopes, text)).toBe('ifta:read')
        scopes.push('ifta:read')
      }
      expect(await missingScope(scopes, text)).toBeNull()
      expect(await missingScope(null, text)).toBe(scope === 'admin' ? 'admin' : null)
    }
  })

  test.each<[KeyScope, string, KeyScope]>([
    ['vehicles:read', '{ vehicles { nodes { name trips { nodes { id } } } } }', 'trips:read'],
    ['vehicles:read', '{ vehicles { nodes { name trips { __typename } } } }', 'trips:read'],
    ['vehicles:read', '{ vehicles { nodes { latestLocation { __typename } } } }', 'locations:read'],
    ['vehicles:read', '{ vehicles { nodes { latestLocation { driver { firstName } } } } }', 'locations:read'],
    [
      'vehicles:read',
      '{ vehicles { nodes { track(startAt: 0, endAt: 1) { storedPositionCount } } } }',
      'locations:read',
    ],
    ['vehicles:read', '{ vehicles { edges { node { stats { nodes { timestamp } } } } } }', 'stats:read'],
    ['vehicles:read', '{ vehicles { nodes { devices { serialNumber } } } }', 'devices:read'],
    ['vehicles:read', '{ vehicles { nodes { groups { parent { name } } } } }', 'groups:read'],
    ['trips:read', '{ trips { nodes { id distance vehicle { name } } } }', 'vehicles:read'],
    [
      'trips:read',
      '{ trips { nodes { ...T } } } fragment T on Trip { driver { ...D } } fragment D on Driver { email }',
      'drivers:read',
    ],
    ['trips:read', '{ trips { nodes { path { totalCount } } } }', 'locations:read'],
    ['drivers:read', '{ drivers { nodes { hosAvailableTime { currentStatus } } } }', 'hos:read'],
    ['locations:read', '{ vehicleLocations { nodes { vehicle { vin } } } }', 'vehicles:read'],
    ['connections:read', '{ connections { nodes { id vehicles { totalCount } } } }', 'vehicles:read'],
    ['events:read', '{ events { nodes { connection { token } } } }', 'connections:read'],
    ['events:read', '{ events { nodes { subject { ... on Driver { email } } } } }', 'drivers:read'],
    ['syncs:read', '{ syncs { nodes { issues { error { message } } } } }', 'issues:read'],
    ['issues:read', '{ issues { nodes { connection { token } } } }', 'connections:read'],
    [
      'issues:write',
      'mutation { resolveIssue(input: {}) { issue { connection { token } } } }',
      'connections:read',
    ],
  ])('with only %s is refused part of %s', async (scope, text, other) => {
    expect(await missingScope([scope], text)).toBe(other)
    const known: KeyScope[] = [scope, other]
    for (let more = await missingScope(known, text); more !== null; more = await missingScope(known, text))
      known.push(more as KeyScope)
    expect(known.length).toBeLessThanOrEqual(3)
  })

  test.each<[KeyScope[], string]>([
    [['trips:read'], '{ trips(first: 1) { nodes { id vehicle { id } driver { id __typename } } } }'],
    [
      ['vehicles:read'],
      '{ vehicles(first: 1) { nodes { id name groups { id } devices { id } raw { data } } } }',
    ],
    [
      ['connections:read'],
      '{ connections { nodes { token provider { name } agreements { id } lastSync { status issues { id } } } } }',
    ],
    [['syncs:write'], '{ syncs { nodes { id status } } }'],
    [['events:read'], '{ events(first: 1) { nodes { id type detail connection { id } subject { id } } } }'],
    [['events:read'], '{ __schema { queryType { name } } providers { code } }'],
    [
      ['trips:read'],
      'query ($yes: Boolean!) { trips(first: 1) { nodes { id vehicle @include(if: $yes) { name } } } }',
    ],
    [
      ['trips:read'],
      'query ($no: Boolean = true) { trips(first: 1) { nodes { ... @skip(if: $no) { vehicle { name } } } } }',
    ],
  ])('with only %s can run %s', async (scopes, text) => {
    const { data, errors } = await execute(keyOver(fleets.a, scopes), text, { yes: false })
    expect([errors, data]).toEqual([undefined, expect.anything()])
  })

  test('is refused whenever its variables include a forbidden field', async () => {
    const text = 'query ($yes: Boolean = true) { trips { nodes { id vehicle @include(if: $yes) { name } } } }'
    const operation = soleOperation(text)
    const context = contextFor({ caller: callerOf(keyOver(fleets.a, ['trips:read'])), credentials: {} })
    const missingWith = async (variables: Record<string, unknown>) =>
      missingScopeIn(
        JSON.parse(JSON.stringify(await gateway.execute({ operation, variables, context }))) as Answer,
      )
    expect(await missingWith({ yes: false })).toBeNull()
    expect(await missingWith({ yes: true })).toBe('vehicles:read')
    expect(await missingWith({ yes: false })).toBeNull()
    expect(await missingWith({})).toBe('vehicles:read')
    expect(await missingWith({ yes: undefined })).toBe('vehicles:read')
    const both =
      '{ trips { nodes { vehicle @skip(if: true) { name } vehicle @include(if: true) { name } } } }'
    expect(await missingScope(['trips:read'], both)).toBe('vehicles:read')
  })

  test('cannot find a record of another type by its id', async () => {
    const [{ trips, vehicles, hosLogs }] = fleets.a.connections as [(typeof fleets.a.connections)[0]]
    const node = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'
    const ids = [vehicles[0]!.id, trips[0]!.id]
    expect(await missingScope(['vehicles:read'], node, { ids })).toBe('trips:read')
    expect(await missingScope(['vehicles:read', 'trips:read'], node, { ids })).toBeNull()
    const one = 'query ($id: ID!) { node(id: $id) { id } }'
    expect(await missingScope(['vehicles:read'], one, { id: hosLogs[0]!.id })).toBe('hos:read')
    expect(await missingScope(['vehicles:read'], '{ node(id: "vcl") { ... on Trip { distance } } }')).toBe(
      'trips:read',
    )
  })

  test('gets a quick answer for fragments that double at twenty levels', async () => {
    const deep = Array.from(
      { length: 20 },
      (_, at) => `fragment F${at} on Vehicle { ...F${at + 1} ... @include(if: $yes) { ...F${at + 1} } }`,
    ).join(' ')
    const text = `query ($yes: Boolean!) { vehicles(first: 1) { nodes { ...F0 } } } ${deep} fragment F20 on Vehicle { name trips { totalCount } }`
    expect(await missingScope(['vehicles:read'], text, { yes: true })).toBe('trips:read')
  })

  test('with scopes costs no additional statement', async () => {
    const text = '{ vehicles(first: 2) { nodes { id name trips(first: 1) { nodes { id } } } } }'
    const cost = async (client: ApiClient) => {
      statements = 0
      expect((await execute(client, text)).errors).toBeUndefined()
      return statements
    }
    const unscoped = await cost(keyOver(fleets.a, null))
    expect(unscoped).toBeGreaterThan(0)
    expect(await cost(keyOver(fleets.a, ['vehicles:read', 'trips:read']))).toBe(unscoped)
    statements = 0
    expect(await missingScope(['vehicles:read'], text)).toBe('trips:read')
    expect(statements).toBe(0)
  })

  test('with scopes cannot read a custom subgraph, which has none', async () => {
    const custom = { name: 'weather', sdl: 'type Query { forecast: String }' }
    const extended = createGateway({
      authenticate: authenticatorOver(db),
      contextFor,
      log: silent,
      customSubgraphs: [custom],
      remote: remoteSubgraphsAt(new Map([['weather', 'http://127.0.0.1:9/graphql']])),
    })
    const errorWith = async (scopes: readonly KeyScope[] | null) => {
      const context = contextFor({ caller: callerOf(keyOver(fleets.a, scopes)), credentials: {} })
      const { errors } = await extended.execute({ operation: soleOperation('{ forecast }'), context })
      return errors?.[0]?.message ?? ''
    }
    expect(await errorWith(keyScopes)).toBe('A key with scopes cannot use `forecast`.')
    expect(await errorWith(null)).not.toMatch(/scopes/)
  })
})
