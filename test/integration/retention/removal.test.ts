import { describe, expect, test } from 'vitest'
import { DAY } from '../../support/factories.ts'
import {
  daysAgoOf,
  inEach,
  layouts,
  seedPoints,
  removeAt,
  createRetentionHarness,
  STEP_DAYS,
} from '../../support/harnesses/retention-harness.ts'

const NOW = Date.now()
const LATER = NOW + (STEP_DAYS + 1) * DAY

describe.each(layouts)('points on $name', (layout) => {
  test('older than the retention are removed for every application, and the others stay', async () => {
    await using harness = await createRetentionHarness(layout)
    const applications = [
      await seedPoints(harness.db, LATER, [400, 100, 68, 59, 30, 7]),
      await seedPoints(harness.db, LATER, [90, 67, 58, 1]),
      await seedPoints(harness.db, LATER, [50]),
      await seedPoints(harness.db, LATER, [500]),
    ]
    await removeAt(harness.db, LATER, null)
    expect(await daysAgoOf(harness.db, applications[3]!.id, LATER)).toEqual(inEach([500]))
    await removeAt(harness.db, LATER)
    const left = await Promise.all(applications.map(({ id }) => daysAgoOf(harness.db, id, LATER)))
    expect(left).toEqual([inEach([59, 30, 7]), inEach([58, 1]), inEach([50]), inEach([])])
  })
})

describe.each(layouts.filter(({ isPartitioned }) => !isPartitioned))(
  'unpartitioned points on $name',
  (layout) => {
    test('are removed exactly to the day, in batches', async () => {
      await using harness = await createRetentionHarness(layout)
      const many = Array.from({ length: 2500 }, (_, at) => 61 + at / 100)
      const { id } = await seedPoints(harness.db, NOW, [...many, 60.5, 59.4])
      const statements: string[] = []
      harness.db.onStatement((sql) => statements.push(sql))
      await removeAt(harness.db, NOW)
      expect(await daysAgoOf(harness.db, id, NOW)).toEqual(inEach([59]))
      const batches = statements.filter((sql) => sql.startsWith('DELETE FROM `vehicle_locations`'))
      expect(batches).toHaveLength(3)
    })
  },
)
