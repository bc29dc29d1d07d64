import { getNamedType, type GraphQLNamedType, isInterfaceType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  type ApiClient,
  dialects,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { requiredArguments } from '../../support/graph/foreign-access-attempts.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { variedRecords } from '../../support/graph/varied/records.ts'

const { apiSchema } = supergraph
const executor = createInProcessExecutor(supergraph)

/** Types that sum the records of a vehicle. */
const WITHOUT_CONNECTION = ['IftaSummary', 'VehicleUtilization']

const fieldsOf = (type: GraphQLNamedType | undefined) =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields() : {}

const isRecord = (type: GraphQLNamedType) => 'raw' in fieldsOf(type) && 'provider' in fieldsOf(type)

test('every type of a record has its connection', () => {
  const without = Object.values(apiSchema.getTypeMap())
    .filter((type) => isRecord(type) && !('connection' in fieldsOf(type)))
    .map(({ name }) => name)
  expect(without.toSorted()).toEqual(WITHOUT_CONNECTION)
})

/** Root lists of records with a connection, each with the field that identifies a record. */
const lists = Object.values(apiSchema.getQueryType()!.getFields()).flatMap(({ name, type }) => {
  const item = getNamedType(fieldsOf(getNamedType(type))['nodes']?.type)
  if (!item || !isRecord(item) || WITHOUT_CONNECTION.includes(item.name)) return []
  const owner = ['vehicle', 'trailer', 'driver'].find((field) => field in fieldsOf(item))
  return [{ list: name, identity: 'id' in fieldsOf(item) ? 'id' : `${owner} { id }` }]
})

interface ListedRecord {
  readonly connection: { readonly id: string }
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let fleet: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    fleet = await seedApplication(db, [variedRecords, variedRecords])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function recordsOf<Row extends ListedRecord>(
    client: ApiClient,
    list: string,
    selection: string,
  ): Promise<Row[]> {
    const args = `(${requiredArguments[list] ?? ''}first: 1000)`
    const document = documentOf(`{ list: ${list}${args} { nodes { ${selection} } } }`)
    const { data, errors } = await ask(executor, contextFor, { client, document })
    expect(errors).toBeUndefined()
    return (data as { list: { nodes: Row[] } }).list.nodes
  }

  test.each(lists)(
    '$list of several connections has the connection of each record',
    async ({ list, identity }) => {
      const selection = `${identity} connection { id }`
      const all = await recordsOf(fleet.client, list, selection)
      for (const [index, { connection }] of fleet.connections.entries()) {
        const own = await recordsOf(fleet.narrowed(index), list, selection)
        expect(own.length).toBeGreaterThan(0)
        expect(new Set(own.map((record) => record.connection.id))).toEqual(new Set([connection.id]))
        const theirs = all.filter((record) => record.connection.id === connection.id)
        expect(theirs).toEqual(expect.arrayContaining(own))
        expect(theirs.length).toBe(own.length)
      }
    },
  )

  test('points, measurements and latest states have the connection of their vehicle', async () => {
    const vehicles = await recordsOf<
      ListedRecord & {
        readonly latestLocation: ListedRecord | null
        readonly locations: { readonly nodes: readonly ListedRecord[] }
        readonly stats: { readonly nodes: readonly ListedRecord[] }
      }
    >(
      fleet.client,
      'vehicles',
      'connection { id } latestLocation { connection { id } } locations { nodes { connection { id } } } stats { nodes { connection { id } } }',
    )
    const parts = vehicles.flatMap(({ connection, latestLocation, locations, stats }) =>
      [...(latestLocation ? [latestLocation] : []), ...locations.nodes, ...stats.nodes].map((part) => [
        part.connection.id,
        connection.id,
      ]),
    )
    expect(parts.length).toBeGreaterThan(10)
    for (const [own, ofVehicle] of parts) expect(own).toBe(ofVehicle)
  })
})
