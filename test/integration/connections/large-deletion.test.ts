import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idTimeOf } from '../../../src/domain/ids.ts'
import type { Logger } from '../../../src/platform/logging/log.ts'
import type { Database } from '../../../src/storage/database.ts'
import { deleteDueConnectionData } from '../../../src/sync/retention/delete-connection-data.ts'
import { connectionTables } from '../../../src/sync/retention/connection-tables.ts'
import { measureReads, type ReadCost } from '../../support/database/read-costs.ts'
import { DAY } from '../../support/durations.ts'
import { dialects } from '../../support/factories.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const POINTS_OF_NEIGHBOUR = 50_000
const OWN_POINTS = 2500

const SERIES = [
  { table: 'vehicle_locations', owner: 'vehicleId', time: 'locatedAt' },
  { table: 'vehicle_stat_logs', owner: 'vehicleId', time: 'timestamp' },
  { table: 'raw_points', owner: 'ownerId', time: 'at' },
] as const

describe.each(dialects)('the deletion of a large connection on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Links two connections of different tenants in the same millisecond, so that they share the range of ids. */
  async function linkNeighbours(): Promise<{ own: Linked; neighbour: Linked }> {
    harness.moveClock(1)
    const [own, neighbour] = [await harness.link(), await harness.link()]
    expect(idTimeOf(own.id)).toBe(idTimeOf(neighbour.id))
    for (const linked of [own, neighbour]) await harness.sync(linked)
    return { own, neighbour }
  }

  /** Copies a point of a connection to later times, after all its other points. */
  async function multiply(
    { id }: Linked,
    { table, time }: (typeof SERIES)[number],
    count: number,
  ): Promise<void> {
    const [first] = await harness.db.rows<Record<string, unknown>>(
      `SELECT * FROM \`${table}\` WHERE \`connectionId\` = ? LIMIT 1`,
      [id],
    )
    const columns = Object.keys(first!)
    const copied = columns.map((column) => (column === time ? '? + 100000000000 + n' : '?'))
    await harness.db.transaction((tx) =>
      tx.run(
        `INSERT INTO \`${table}\` (${columns.map((column) => `\`${column}\``).join(', ')})
          WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count})
          SELECT ${copied.join(', ')} FROM s`,
        columns.map((column) => first![column]),
      ),
    )
  }

  async function countsOf(db: Database, { id }: Linked): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { name } of await connectionTables(db)) {
      const [row] = await db.rows<{ n: number }>(
        `SELECT COUNT(*) AS n FROM \`${name}\` WHERE \`connectionId\` = ?`,
        [id],
      )
      if (Number(row!.n) > 0) counts[name] = Number(row!.n)
    }
    return counts
  }

  async function requestDeletion({ client }: Linked): Promise<void> {
    await harness.mutate(client, 'deleteConnection', {}, 'message')
    harness.moveClock(DAY)
  }

  /** Runs the job until the connection is deleted. Returns the rows that its log lines name. */
  async function erase({ id }: Linked, db: Database = harness.db): Promise<Record<string, number>[]> {
    const logged: Record<string, number>[] = []
    const info = ({ rows }: { rows: Record<string, number> }) => void logged.push(rows)
    for (let run = 0; run < 50; run++) {
      await deleteDueConnectionData({ ...harness.tools, db, log: { info } as unknown as Logger })
      if ((await harness.row('connections', id))['status'] === 'deleted') return logged
    }
    throw new Error('the connection is not deleted')
  }

  const auditedRows = async ({ id }: Linked): Promise<Record<string, number>> => {
    const [entry] = await harness.db.rows<{ detail: string }>(
      "SELECT `detail` FROM `audit_log` WHERE `targetId` = ? AND `action` = 'connection.deleted'",
      [id],
    )
    return (JSON.parse(entry!.detail) as { rows: Record<string, number> }).rows
  }

  test('deletes all its rows, none of its neighbour, and reports them by table', async () => {
    const { own, neighbour } = await linkNeighbours()
    for (const series of SERIES) await multiply(own, series, OWN_POINTS)
    const before = await countsOf(harness.db, own)
    const neighbourBefore = await countsOf(harness.db, neighbour)
    await requestDeletion(own)

    const logged = await erase(own)

    expect(await countsOf(harness.db, own)).toEqual({ events: 1 })
    expect(await countsOf(harness.db, neighbour)).toEqual(neighbourBefore)
    const rows = await auditedRows(own)
    expect(rows).toMatchObject({
      vehicle_locations: before['vehicle_locations'],
      vehicle_stat_logs: before['vehicle_stat_logs'],
      raw_points: before['raw_points'],
      raw_records: before['raw_records'],
      vehicles: before['vehicles'],
      trips: before['trips'],
    })
    const sum: Record<string, number> = {}
    for (const part of logged)
      for (const [table, count] of Object.entries(part)) sum[table] = (sum[table] ?? 0) + count
    expect(sum).toEqual(rows)
  })

  test('finds rows whose vehicle is gone, and rows of a vehicle with an unusual id', async () => {
    const { own, neighbour } = await linkNeighbours()
    const neighbourBefore = await countsOf(harness.db, neighbour)
    const vehicles = await harness.db.rows<{ id: string }>(
      'SELECT `id` FROM `vehicles` WHERE `connectionId` = ?',
      [own.id],
    )
    const [gone, renamed] = vehicles.map(({ id }) => id)
    await harness.db.transaction(async (tx) => {
      await tx.run('DELETE FROM `vehicles` WHERE `id` = ?', [gone])
      await tx.run("UPDATE `vehicles` SET `id` = 'vcl_unusual' WHERE `id` = ?", [renamed])
      for (const { table, owner } of SERIES)
        await tx.run(`UPDATE \`${table}\` SET \`${owner}\` = 'vcl_unusual' WHERE \`${owner}\` = ?`, [renamed])
      await tx.run("UPDATE `raw_records` SET `ownerId` = 'vcl_unusual' WHERE `ownerId` = ?", [renamed])
      await tx.run("UPDATE `raw_records` SET `ownerId` = 'latest_vcl_unusual' WHERE `ownerId` = ?", [
        `latest_${renamed}`,
      ])
    })
    await requestDeletion(own)

    await erase(own)

    expect(await countsOf(harness.db, own)).toEqual({ events: 1 })
    expect(await countsOf(harness.db, neighbour)).toEqual(neighbourBefore)
  })

  test('continues after a job that was killed, and counts every row once', async () => {
    const { own } = await linkNeighbours()
    for (const series of SERIES) await multiply(own, series, OWN_POINTS)
    const before = await countsOf(harness.db, own)
    await requestDeletion(own)
    let transactions = 0
    const killed: Database = {
      ...harness.db,
      transaction: (work, property) =>
        ++transactions > 5 ? Promise.reject(new Error('killed')) : harness.db.transaction(work, property),
    }
    await expect(erase(own, killed)).rejects.toThrow('killed')
    const remaining = (await countsOf(harness.db, own))['vehicle_locations'] ?? 0
    expect(remaining).toBeLessThan(before['vehicle_locations']!)

    await erase(own)

    expect(await countsOf(harness.db, own)).toEqual({ events: 1 })
    expect(await auditedRows(own)).toMatchObject({
      vehicle_locations: before['vehicle_locations'],
      vehicle_stat_logs: before['vehicle_stat_logs'],
      raw_points: before['raw_points'],
    })
  })

  // SQLite does not count the rows that a statement reads.
  test.each(dialect === 'mysql' ? [POINTS_OF_NEIGHBOUR] : [])(
    'reads few rows in each statement, beside a neighbour with %i points in each series',
    async (points) => {
      const { own, neighbour } = await linkNeighbours()
      for (const series of SERIES) {
        await multiply(own, series, OWN_POINTS)
        await multiply(neighbour, series, points)
      }
      await requestDeletion(own)
      const costs: ReadCost[] = []

      await erase(
        own,
        measureReads(harness.db, (cost) => costs.push(cost)),
      )

      expect(costs.length).toBeGreaterThan(100)
      expect(costs.filter(({ reads }) => reads > 1100)).toEqual([])
      const scans = costs.filter(({ access }) => access.some((type) => type === 'ALL' || type === 'index'))
      expect(scans).toEqual([])
    },
  )
})
