import { describe, expect, test } from 'vitest'
import { DAY } from '../factories.ts'
import { daysAgoOf, inEach, layouts, plantPoints, removeAt, retentionRig, STEP_DAYS } from './rig.ts'

const NOW = Date.now()
const LATER = NOW + (STEP_DAYS + 1) * DAY

describe.each(layouts)('points on $name', (layout) => {
  test('go where there is a retention and they are older, whoever has them; the others stay', async () => {
    await using rig = await retentionRig(layout)
    const applications = [
      await plantPoints(rig.db, LATER, [400, 100, 68, 59, 30, 7]),
      await plantPoints(rig.db, LATER, [90, 67, 58, 1]),
      await plantPoints(rig.db, LATER, [50]),
      await plantPoints(rig.db, LATER, [500]),
    ]
    await removeAt(rig.db, LATER, null)
    expect(await daysAgoOf(rig.db, applications[3]!.id, LATER)).toEqual(inEach([500]))
    await removeAt(rig.db, LATER)
    const left = await Promise.all(applications.map(({ id }) => daysAgoOf(rig.db, id, LATER)))
    expect(left).toEqual([inEach([59, 30, 7]), inEach([58, 1]), inEach([50]), inEach([])])
  })
})

describe.each(layouts.filter(({ parted }) => !parted))('points in one piece on $name', (layout) => {
  test('go to the day, in batches', async () => {
    await using rig = await retentionRig(layout)
    const many = Array.from({ length: 2500 }, (_, at) => 61 + at / 100)
    const { id } = await plantPoints(rig.db, NOW, [...many, 60.5, 59.4])
    const statements: string[] = []
    rig.db.onStatement((sql) => statements.push(sql))
    await removeAt(rig.db, NOW)
    expect(await daysAgoOf(rig.db, id, NOW)).toEqual(inEach([59]))
    const batches = statements.filter((sql) => sql.startsWith('DELETE FROM `vehicle_locations`'))
    expect(batches).toHaveLength(3)
  })
})
