import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInProcessExecutor } from '../../../../src/gateway/gateway.ts'
import type { Database } from '../../../../src/storage/database.ts'
import {
  dialects,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../../support/factories.ts'
import { measureReads, type ReadCost } from '../../../support/database/read-costs.ts'
import { uniformRecords } from '../../../support/graph/fleets.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../../support/graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)
const OWN = 20
const FOREIGN = 400

type FilterOf = (application: SeededApplication) => string

const ofGroup: FilterOf = ({ connections }) => `groupIds: ["${connections[0]!.groups[0]!.id}"]`
const ofConnections: FilterOf = ({ connections }) =>
  `connectionIds: ["${connections[1]!.connection.id}", "${connections[2]!.connection.id}"]`
const inactive: FilterOf = () => 'statuses: [INACTIVE]'
const matching: FilterOf = () => 'search: "no such text"'
const both: FilterOf = (application) => `${ofGroup(application)}, ${ofConnections(application)}`

const filtersByList: Readonly<Record<string, readonly FilterOf[]>> = {
  vehicles: [ofGroup, ofConnections, inactive, both, matching],
  drivers: [ofGroup, ofConnections, inactive, both, matching],
  trailers: [ofGroup, ofConnections, inactive, both],
  groups: [ofConnections],
  devices: [ofConnections],
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let own: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    await seedApplication(db, [uniformRecords(FOREIGN)])
    own = await seedApplication(db, [uniformRecords(OWN), uniformRecords(OWN), uniformRecords(OWN)])
    await seedApplication(db, [uniformRecords(FOREIGN)])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  test.each(Object.entries(filtersByList))(
    'each filter of %s names the application first',
    async (list, filters) => {
      for (const filter of filters) {
        const statements: string[] = []
        const unsubscribe = db.onStatement((sql) => statements.push(sql))
        await pageOf(db, list, filter(own))
        unsubscribe()
        const reads = statements.filter((sql) => sql.includes(`FROM \`${list}\``))
        expect(reads.length).toBeGreaterThan(0)
        for (const sql of reads) expect(sql).toMatch(/ WHERE `applicationId` = \? AND /)
      }
    },
  )

  test.each(dialect === 'mysql' ? Object.entries(filtersByList) : [])(
    'a filter of %s reads no rows of other applications',
    async (list, filters) => {
      for (const filter of filters) {
        const costs: ReadCost[] = []
        await pageOf(
          measureReads(db, (cost) => costs.push(cost)),
          list,
          filter(own),
        )
        const ofList = costs.filter(({ sql }) => sql.includes(`FROM \`${list}\``))
        expect(ofList.length).toBeGreaterThan(0)
        for (const { access, reads } of ofList) {
          for (const way of access) expect(['ref', 'range']).toContain(way)
          // The database may read each row in the index, in the table and in the order of the ids.
          expect(reads).toBeLessThanOrEqual(3 * own.connections.length * OWN)
        }
      }
    },
  )

  async function pageOf(database: Database, list: string, filter: string) {
    const document = documentOf(`{ ${list}(first: 10, ${filter}) { nodes { id } } }`)
    const { errors } = await ask(executor, contextsOver(database), { client: own.client, document })
    expect(errors).toBeUndefined()
  }
})
