import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../src/gateway/context.ts'
import { fusedEngine } from '../../src/gateway/gateway.ts'
import type { Database } from '../../src/storage/database.ts'
import { dialects, plantApplication, type PlantedApplication, temporaryDatabase } from '../factories.ts'
import { uniformRecords } from './fleets.ts'
import { type Answer, ask, contextsOver, documentOf, supergraph } from './rig.ts'

const FEW = 2
const MANY = 40

/** What is asked for of each parent, and what that costs however many parents there are, their own list included. */
const costs: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  connections: {
    '{ id token linkUrl provider { name } }': 1,
    '{ vehicles { nodes { id } } }': 2,
    '{ drivers { nodes { id } } }': 2,
    '{ groups { nodes { id } } }': 2,
    '{ devices { nodes { id } } }': 2,
    '{ agreements { id } }': 2,
    '{ lastSync { id } }': 1,
    '{ lastSync { status } }': 2,
    '{ vehicles { nodes { trips { nodes { driver { firstName } } } latestLocation { speed } } } }': 5,
  },
  vehicles: {
    '{ groups { id } }': 1,
    '{ groups { name } }': 2,
    '{ groups { name parent { id } } }': 2,
    '{ devices { id } }': 2,
    '{ devices { vehicle { id } } }': 2,
    '{ latestLocation { speed vehicle { id } } }': 2,
    '{ latestLocation { driver { firstName } } }': 3,
    '{ locations { nodes { speed } } }': 2,
    '{ locations { nodes { vehicle { latestLocation { speed } } } } }': 3,
    '{ trips { nodes { id } } }': 2,
    '{ trips(first: 1) { nodes { id } } }': 2,
    '{ early: trips(first: 1) { nodes { id } } late: trips(last: 1) { nodes { id } } }': 3,
    '{ trips { nodes { driver { firstName trips { nodes { id } } } } } }': 4,
    '{ safetyEvents { nodes { id } } }': 2,
    '{ raw { data } }': 2,
    '{ groups { name } devices { id } latestLocation { speed } locations { nodes { id } } trips { nodes { id } } safetyEvents { nodes { id } } raw { data } }': 8,
  },
  drivers: {
    '{ groups { id } }': 1,
    '{ groups { name } }': 2,
    '{ trips { nodes { id } } }': 2,
    '{ safetyEvents { nodes { id } } }': 2,
    '{ raw { data } }': 2,
  },
  groups: { '{ parent { id } }': 1, '{ parent { name } }': 2, '{ raw { data } }': 2 },
  devices: {
    '{ vehicle { id } }': 1,
    '{ vehicle { name } }': 2,
    '{ vehicle { latestLocation { speed } } }': 2,
    '{ vehicle { name latestLocation { speed } } }': 3,
    '{ raw { data } }': 2,
  },
  trips: {
    '{ vehicle { id } driver { id } }': 1,
    '{ vehicle { __typename id } }': 1,
    '{ vehicle { name } }': 2,
    '{ driver { firstName } }': 2,
    '{ vehicle { name } driver { firstName } }': 3,
    '{ vehicle { latestLocation { speed } } }': 2,
    '{ vehicle { name latestLocation { speed } groups { name } } }': 4,
    '{ raw { data } }': 2,
  },
  safetyEvents: {
    '{ vehicle { name } driver { id } }': 2,
    '{ driver { firstName } }': 2,
    '{ raw { data } }': 2,
  },
  vehicleLocations: {
    '{ vehicle { id } driver { id } }': 1,
    '{ vehicle { name } }': 2,
    '{ driver { firstName } }': 2,
    '{ vehicle { trips { nodes { id } } } }': 2,
  },
  events: {
    '{ subject { id __typename } connection { id } }': 1,
    '{ subject { ... on Vehicle { name } } }': 2,
    '{ subject { ... on Driver { firstName } } }': 1,
    '{ subject { ... on Vehicle { name latestLocation { speed } } } }': 3,
    '{ connection { status } }': 2,
    '{ connection { vehicles { nodes { id } } } }': 2,
  },
  syncs: { '{ connection { status } }': 2, '{ connection { vehicles { nodes { id } } } }': 3 },
}

const cases = Object.entries(costs).flatMap(([list, selections]) =>
  Object.entries(selections).map(([selection, count]) => ({ list, selection, count })),
)

const engine = fusedEngine(supergraph)

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let few: PlantedApplication
  let many: PlantedApplication
  let manyConnections: PlantedApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    few = await plantApplication(db, [uniformRecords(FEW), uniformRecords(FEW)])
    many = await plantApplication(db, [uniformRecords(MANY), uniformRecords(FEW)])
    manyConnections = await plantApplication(db, Array(MANY).fill(uniformRecords(1)))
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function counted(application: PlantedApplication, text: string, variables = {}) {
    const statements: string[] = []
    const deaf = db.onStatement((sql) => statements.push(sql))
    const answer = await ask(engine, contextFor, {
      party: application.party,
      document: documentOf(text),
      variables,
    })
    deaf()
    return { answer, statements: statements.length }
  }

  test.each(cases)(
    '$list $selection costs $count statements however many there are',
    async ({ list, selection, count }) => {
      const text = `{ ${list}(first: ${MANY}) { nodes ${selection} } }`
      const most = list === 'connections' ? manyConnections : many
      for (const application of [few, most, few, most]) {
        const { answer, statements } = await counted(application, text)
        expect(answer.errors).toBeUndefined()
        expect(nodesIn(answer, list)).toBeGreaterThanOrEqual(application === few ? FEW : MANY)
        expect(statements).toBe(count)
      }
    },
  )

  test.each([
    ['{ id }', 1],
    ['{ ... on Vehicle { name } }', 2],
    ['{ ... on Vehicle { name latestLocation { speed } } }', 3],
  ])('nodes %s of one kind costs %i statements however many there are', async (selection, count) => {
    const text = `query ($ids: [ID!]!) { nodes(ids: $ids) ${selection} }`
    for (const application of [few, many, many]) {
      const ids = application.connections[0]!.vehicles.map(({ id }) => id)
      expect((await counted(application, text, { ids })).statements).toBe(count)
    }
  })

  test('a fragment that is not included costs nothing', async () => {
    const text =
      'query ($yes: Boolean!) { trips { nodes { vehicle { id ... @include(if: $yes) { name } } } } }'
    expect((await counted(many, text, { yes: true })).statements).toBe(2)
    expect((await counted(many, text, { yes: false })).statements).toBe(1)
    expect((await counted(many, text, { yes: true })).statements).toBe(2)
  })
})

const nodesIn = ({ data }: Answer, list: string): number =>
  (data as Record<string, { nodes: unknown[] }>)[list]!.nodes.length

test('the table has every list there is', () => {
  const fields = Object.values(supergraph.apiSchema.getQueryType()!.getFields())
  const lists = fields.filter(({ type }) => String(type).endsWith('Page!')).map(({ name }) => name)
  expect(Object.keys(costs).sort()).toEqual(lists.sort())
})
