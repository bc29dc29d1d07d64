import { describe, expect, test } from 'vitest'
import { databaseInstant } from '../../../src/storage/sql/dialect.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'

/** The test and the server run on one host, whose clock both read. */
const ROUNDING_MS = 2

describe.each(dialects)('the time of the database, on %s', (dialect) => {
  const sql = `SELECT ${databaseInstant(dialect)} AS instant`

  test('is the time of the statement in whole milliseconds', async () => {
    await using db = await temporaryDatabase(dialect)
    const before = Date.now()
    const [row] = await db.rows<{ instant: number | string }>(sql)
    const instant = Number(row?.instant)
    expect(Number.isInteger(instant)).toBe(true)
    expect(instant).toBeGreaterThanOrEqual(before - ROUNDING_MS)
    expect(instant).toBeLessThanOrEqual(Date.now() + ROUNDING_MS)
  })

  test.runIf(dialect === 'mysql')('does not depend on the time zone of the session', async () => {
    await using db = await temporaryDatabase(dialect)
    const [here, there] = await db.transaction(async (tx) => {
      const before = await tx.rows<{ instant: number | string }>(sql)
      await tx.run("SET SESSION time_zone = '+05:00'")
      const after = await tx.rows<{ instant: number | string }>(sql)
      await tx.run('SET SESSION time_zone = DEFAULT')
      return [Number(before[0]?.instant), Number(after[0]?.instant)]
    })
    expect(Math.abs(Number(there) - Number(here))).toBeLessThan(3_600_000)
  })
})
