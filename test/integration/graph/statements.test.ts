import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Id } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { ApiKey } from '../../../src/subgraphs/connections/applications/application.ts'
import {
  keyRow,
  type ConnectionValues,
  dialects,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { costs, listText } from '../../support/graph/statement-costs.ts'
import { uniformRecords } from '../../support/graph/fleets.ts'
import { seedEndpoints } from '../../support/graph/webhook-rows.ts'
import {
  seedPurchasePolicies,
  seedPurchaseReplays,
  seedPurchaseSites,
} from '../../support/rows/purchase-rows.ts'
import { seedShortLinks } from '../../support/rows/short-link-rows.ts'
import { seedAuditEntries } from '../../support/audit/audit-entries.ts'
import { seedRequests } from '../../support/rows/request-rows.ts'
import { seedSessions } from '../../support/rows/session-rows.ts'
import { type Answer, ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'

const FEW = 2
const MANY = 100

const cases = Object.entries(costs).flatMap(([list, selections]) =>
  Object.entries(selections).map(([selection, count]) => ({ list, selection, count })),
)

const executor = createInProcessExecutor(supergraph)

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let few: SeededApplication
  let many: SeededApplication
  let manyConnections: SeededApplication
  let fewFiltered: SeededApplication
  let manyFiltered: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    few = await seedApplication(db, [uniformRecords(FEW), uniformRecords(FEW)])
    many = await seedApplication(db, [uniformRecords(MANY), uniformRecords(FEW)])
    for (const [{ id }, count] of [
      [few, FEW],
      [many, MANY],
    ] as const)
      await Promise.all([
        seedSessions(db, id, count),
        seedShortLinks(db, id, count),
        seedPurchasePolicies(db, id, count),
        seedPurchaseSites(db, id, count),
        seedPurchaseReplays(db, id, count),
        seedEndpoints(db, id, count),
        seedAuditEntries(db, id, count),
        seedRequests(db, id, count),
        seedKeys(db, id, count),
      ])
    manyConnections = await seedApplication(db, Array(MANY).fill(uniformRecords(1)))
    fewFiltered = await seedApplication(db, Array(FEW).fill(uniformRecords(FEW)), [
      hideOneOfEach,
      hideOneOfEach,
    ])
    manyFiltered = await seedApplication(
      db,
      Array(MANY).fill(uniformRecords(FEW)),
      Array(MANY).fill(hideOneOfEach),
    )
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function countStatements(application: SeededApplication, text: string, variables = {}) {
    const statements: string[] = []
    const unsubscribe = db.onStatement((sql) => statements.push(sql))
    const answer = await ask(executor, contextFor, {
      client: application.client,
      document: documentOf(text),
      variables,
    })
    unsubscribe()
    return { answer, statements: statements.length }
  }

  test.each(cases)(
    '$list $selection costs $count statements for any number of rows',
    async ({ list, selection, count }) => {
      const text = listText(list, MANY, `{ nodes ${selection} }`)
      const large = list === 'connections' ? manyConnections : many
      for (const application of [few, large, few, large]) {
        const { answer, statements } = await countStatements(application, text)
        expect(answer.errors).toBeUndefined()
        expect(nodesIn(answer, list)).toBeGreaterThanOrEqual(application === few ? FEW : MANY)
        expect(statements).toBe(count)
      }
    },
  )

  test.each(Object.keys(costs))('counting %s costs one statement', async (list) => {
    for (const application of [few, many]) {
      const { statements } = await countStatements(application, listText(list, 1, '{ nodes { __typename } }'))
      const { answer, statements: more } = await countStatements(
        application,
        listText(list, 1, '{ totalCount nodes { __typename } }'),
      )
      const { totalCount } = (answer.data as Record<string, { totalCount: number }>)[list]!
      expect(totalCount).toBeGreaterThanOrEqual(application === few ? 2 : list === 'connections' ? 2 : MANY)
      expect(more).toBe(statements + 1)
    }
  })

  test.each([
    ['{ vehicles(first: 100) { nodes { name } } drivers(first: 100) { nodes { firstName } } }', 5],
    ['{ vehicles(first: 100) { nodes { metadata { visibility } } } }', 3],
    ['{ vehicles(first: 100) { totalCount nodes { trips { totalCount } } } }', 6],
    ['{ vehicles(first: 100, hidden: true) { nodes { name } } }', 1],
    ['{ vehicles(first: 100, hidden: true) { nodes { metadata { visibility } } } }', 2],
    ['{ connections { nodes { vehicles { nodes { name } } } } }', 4],
    [
      '{ connections { nodes { vehicles(first: 1) { totalCount nodes { name } } drivers { nodes { id } } } } }',
      7,
    ],
  ])('with connection filters %s costs %i statements', async (text, count) => {
    for (const application of [fewFiltered, manyFiltered, fewFiltered, manyFiltered]) {
      const { answer, statements } = await countStatements(application, text)
      expect(answer.errors).toBeUndefined()
      expect(statements).toBe(count)
    }
  })

  test.each([
    ['vehicle', '{ name }', 1, 1],
    ['vehicle', '{ metadata { modifiedAt } trips { nodes { id } } }', 3, 4],
    ['vehicle', '{ metadata { visibility } }', 2, 2],
    ['driver', '{ firstName }', 1, 1],
    ['driver', '{ metadata { visibility } }', 2, 2],
    ['trailer', '{ metadata { visibility } }', 1, 1],
  ])('looking up a %s %s costs %i statements, %i with filters', async (field, selection, count, filtered) => {
    for (const [application, expected] of [
      [few, count],
      [fewFiltered, filtered],
    ] as const) {
      const { vehicles, drivers, trailers } = application.connections[0]!
      const row = { vehicle: vehicles[0]!, driver: drivers[0]!, trailer: trailers[0]! }[field]!
      const text = `query ($id: ID!) { ${field}(id: $id) ${selection} }`
      expect((await countStatements(application, text, { id: row.id })).statements).toBe(expected)
    }
  })

  test.each([
    ['trips', 3],
    ['vehicles', 3],
    ['hosLogs', 3],
    ['hosDailyLogs', 3],
    ['faultCodeEvents', 3],
    ['trailers', 2],
  ])('%s by modification time of a whole application costs %i statements', async (list, count) => {
    const text = `{ ${list}(modifiedAfter: "2020-01-01T00:00:00Z") { nodes { id } } }`
    for (const application of [few, many])
      expect((await countStatements(application, text)).statements).toBe(count)
  })

  test.each(['[VEHICLE]', '[JURISDICTION]', '[MONTH]', '[MONTH, VEHICLE, JURISDICTION]'])(
    'distances by %s cost two statements, and their raw records one more',
    async (groupBy) => {
      const text = (selection: string) =>
        `{ iftaSummary(startMonth: "2025-01", endMonth: "2026-12", groupBy: ${groupBy}) { nodes { ${selection} } } }`
      for (const application of [few, many]) {
        expect((await countStatements(application, text('distance'))).statements).toBe(2)
        expect((await countStatements(application, text('distance raw { data }'))).statements).toBe(3)
      }
    },
  )

  test.each([
    ['{ id }', 1],
    ['{ ... on FaultCodeEvent { id } }', 1],
    ['{ ... on FaultCodeEvent { code } }', 3],
    ['{ ... on FaultCodeEvent { code vehicle { name } ... on J1939FaultCodeEvent { j1939 { spn } } } }', 4],
  ])('nodes %s of both fault code types costs %i statements', async (selection, count) => {
    const text = `query ($ids: [ID!]!) { nodes(ids: $ids) ${selection} }`
    for (const application of [few, many, many]) {
      const ids = application.connections[0]!.faultCodeEvents.slice(0, 100).map(({ id }) => id)
      expect((await countStatements(application, text, { ids })).statements).toBe(count)
    }
  })

  test.each([
    ['{ id }', 1],
    ['{ ... on Vehicle { name } }', 2],
    ['{ ... on Vehicle { name latestLocation { speed } } }', 4],
  ])('nodes %s of one type costs %i statements for any number of ids', async (selection, count) => {
    const text = `query ($ids: [ID!]!) { nodes(ids: $ids) ${selection} }`
    for (const application of [few, many, many]) {
      const ids = application.connections[0]!.vehicles.map(({ id }) => id)
      expect((await countStatements(application, text, { ids })).statements).toBe(count)
    }
  })

  test('an excluded fragment costs no statement', async () => {
    const text =
      'query ($yes: Boolean!) { trips { nodes { vehicle { id ... @include(if: $yes) { name } } } } }'
    expect((await countStatements(many, text, { yes: true })).statements).toBe(3)
    expect((await countStatements(many, text, { yes: false })).statements).toBe(2)
    expect((await countStatements(many, text, { yes: true })).statements).toBe(3)
  })
})

const seedKeys = (db: Database, id: Id<'application'>, count: number): Promise<void> =>
  db.transaction((tx) =>
    tx.insert(
      tableOf(ApiKey),
      Array.from({ length: count }, (_, at) => keyRow(id, `planted ${at} of ${id}`)),
    ),
  )

/** Filters that hide a vehicle and a driver. */
const hideOneOfEach: ConnectionValues = ({ vehicles, drivers }) => ({
  filters: { vehicles: { excludeIds: [vehicles[0]!.id] }, drivers: { excludeIds: [drivers[0]!.id] } },
})

const nodesIn = ({ data }: Answer, list: string): number =>
  (data as Record<string, { nodes: unknown[] }>)[list]!.nodes.length

test('the table of costs has every list of the schema', () => {
  const fields = Object.values(supergraph.apiSchema.getQueryType()!.getFields())
  const lists = fields.filter(({ type }) => String(type).endsWith('Page')).map(({ name }) => name)
  expect(Object.keys(costs).sort()).toEqual(lists.sort())
})
