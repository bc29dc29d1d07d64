import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { Where } from '../../../src/storage/sql/where.ts'
import {
  dialects,
  type ApiClient,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import {
  REMOVED_AT_ISO,
  removableFields,
  type RemovableList,
  removableLists,
  removableRows,
} from '../../support/graph/removable-rows.ts'

const executor = createInProcessExecutor(supergraph)
const COUNT = 2000
const PAGE = 20
const tables: Readonly<Record<RemovableList, string>> = {
  trips: 'trips',
  safetyEvents: 'safety_events',
  faultCodeEvents: 'fault_code_events',
  hosLogs: 'hos_logs',
  hosDailyLogs: 'hos_daily_logs',
}

describe.each(dialects)('a list with removed records on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let seeded: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    const rows = (owner: Parameters<typeof removableRows>[0]) => removableRows(owner, COUNT)
    seeded = await seedApplication(db, [rows, rows])
    for (const table of Object.values(tables))
      await db.rows(dialect === 'mysql' ? `ANALYZE TABLE \`${table}\`` : `ANALYZE \`${table}\``)
  }, 60_000)
  afterAll(() => db[Symbol.asyncDispose]())

  /** Executes a list and returns the statements that read its table. */
  async function statementsOf(client: ApiClient, field: RemovableList, args: string): Promise<Where[]> {
    const statements: Where[] = []
    const rows = <T>(sql: string, parameters: readonly unknown[] = []) => {
      if (sql.includes(`\`${tables[field]}\``)) statements.push({ sql, parameters })
      return db.rows<T>(sql, parameters)
    }
    const document = documentOf(`{ ${field}(first: ${PAGE}, ${args}) { nodes { id } } }`)
    const { data, errors } = await ask(executor, contextsOver({ ...db, rows }), { client, document })
    expect(errors).toBeUndefined()
    expect((data![field] as { nodes: unknown[] }).nodes).toHaveLength(PAGE)
    return statements
  }

  /** Returns the number of index entries and rows that a statement reads. */
  const entriesRead = ({ sql, parameters }: Where): Promise<number> =>
    db.transaction(async (tx) => {
      const total = async () => {
        const counters = await tx.rows<{ Value: string }>(
          "SHOW SESSION STATUS WHERE `Variable_name` IN ('Handler_read_next', 'Handler_read_prev', 'Handler_read_rnd_next')",
        )
        return counters.reduce((sum, { Value }) => sum + Number(Value), 0)
      }
      const before = await total()
      await tx.rows(sql, parameters)
      // Reading the counters itself reads them as rows.
      return (await total()) - before - (await costOfCounters(total))
    })

  const costOfCounters = async (total: () => Promise<number>) => {
    const before = await total()
    return (await total()) - before
  }

  async function checkCost(statement: Where): Promise<void> {
    if (dialect === 'mysql') return expect(await entriesRead(statement)).toBeLessThan(2 * PAGE)
    const plan = await db.rows<{ detail: string }>(
      `EXPLAIN QUERY PLAN ${statement.sql}`,
      statement.parameters,
    )
    const details = plan.map(({ detail }) => detail)
    expect(details).toEqual([expect.stringMatching(/^SEARCH \w+ USING INDEX \w+ \(\w+=\?/)])
  }

  describe.each(removableFields)('of %s', (field) => {
    test.each([
      ['by time', 'deleted: true'],
      ['by time of change', `modifiedAfter: "${REMOVED_AT_ISO}", deleted: true`],
    ])('%s reads only the entries of a page, in one statement', async (_, args) => {
      for (const client of [seeded.narrowed(0), seeded.client]) {
        const statements = await statementsOf(client, field, args)
        expect(statements).toHaveLength(1)
        for (const statement of statements) await checkCost(statement)
      }
    })

    test.each(removableLists[field])('of one %s reads only the entries of a page', async (owner) => {
      const [{ id } = { id: '' }] = seeded.connections[0]![`${owner}s`]
      const statements = await statementsOf(
        seeded.narrowed(0),
        field,
        `${owner}Ids: ["${id}"], deleted: true`,
      )
      expect(statements).toHaveLength(1)
      for (const statement of statements) await checkCost(statement)
    })
  })
})
