import { describe, expect, test } from 'vitest'
import { kilometersBetween } from '../../../src/domain/geo/geodesy.ts'
import { stores } from '../../support/database/stores.ts'
import { IftaHarness } from '../../support/ifta/ifta-harness.ts'
import { monthCalendarOf } from '../../../src/sync/ifta/mileage/calendar-months.ts'
import { at, drive, lengthOf, place } from '../../support/ifta/tracks.ts'

const HOUR_MS = 3_600_000
const kansas = place(39.05, -95)
const border = place(39.05, -94.6076)
const missouri = place(39.05, -94.2)
/** Last month, which is recent enough to be recomputed. */
const lastMonth = new Date(Date.now() - 31 * 24 * HOUR_MS).toISOString().slice(0, 'YYYY-MM'.length)
const noon = at(`${lastMonth}-15T17:00:00Z`)
const inKansas = kilometersBetween(kansas, border)
const inMissouri = kilometersBetween(border, missouri)

const sumsOf = (months: readonly { month: string; jurisdiction: string; distance: number }[]) =>
  Object.fromEntries(
    months.map(({ month, jurisdiction, distance }) => [`${month} ${jurisdiction}`, distance]),
  )

describe.each(stores)('computed IFTA data on %s', (store) => {
  test('is stored by month and jurisdiction, marked as computed', async () => {
    await using harness = await IftaHarness.start(store)
    await harness.seed('truck', drive([kansas, missouri], { startAt: noon }))
    await harness.compute()
    expect(sumsOf(await harness.months())).toEqual({
      [`${lastMonth} KS`]: expect.closeTo(inKansas, 0),
      [`${lastMonth} MO`]: expect.closeTo(inMissouri, 0),
    })
    expect(await harness.raw(`truck/${lastMonth}/KS`)).toEqual({
      computed: true,
      timeZone: 'America/Chicago',
      gaps: [],
      schemaName: 'odograph.ifta',
    })
  })

  test('matches the odometer, also with readings between the fixes', async () => {
    await using harness = await IftaHarness.start(store)
    const fixes = [...drive([kansas, missouri], { startAt: noon, odometerScale: 1.1, everySeconds: 10 })]
    const [readings, locations] = [0, 1].map((odd) => fixes.filter((_, index) => index % 3 === odd))
    await harness.seed(
      'truck',
      locations!.map((fix) => ({ ...fix, odometerKilometers: null })),
    )
    await harness.seed('truck', readings!)
    await harness.compute()
    const { [`${lastMonth} KS`]: KS } = sumsOf(await harness.months())
    expect(Math.abs(KS! - inKansas * 1.1)).toBeLessThan(0.5)
  })

  test('matches the odometer of a device that now and then sends 0, or is reset', async () => {
    await using harness = await IftaHarness.start(store)
    const fixes = [...drive([kansas, missouri], { startAt: noon, odometerScale: 1.1, everySeconds: 10 })]
    const reset = fixes.findIndex(({ longitude }) => longitude > -94.8)
    await harness.seed(
      'truck',
      fixes.map((fix, index) => ({
        ...fix,
        odometerKilometers: index % 3 === 0 ? 0 : fix.odometerKilometers! - (index > reset ? 4990 : 0),
      })),
    )
    await harness.compute()
    const { [`${lastMonth} KS`]: KS } = sumsOf(await harness.months())
    // The part of 10 km with the reset has no odometer distance.
    expect(KS! / inKansas).toBeGreaterThan(1.06)
    expect(KS! / inKansas).toBeLessThan(1.1001)
  })

  test('has the distance of unknown jurisdiction, and the gaps', async () => {
    await using harness = await IftaHarness.start(store)
    const firstDrive = drive([kansas, place(39.05, -94.9)], { startAt: noon, odometerScale: 1 })
    const secondDrive = [...drive([border, missouri], { startAt: noon + HOUR_MS, odometerScale: 1 })]
    await harness.seed('truck', firstDrive)
    await harness.seed(
      'truck',
      secondDrive.map((fix) => ({ ...fix, odometerKilometers: fix.odometerKilometers! + 50 })),
    )
    await harness.compute()
    const unknown = 50 - kilometersBetween(kansas, place(39.05, -94.9))
    expect(sumsOf(await harness.months())[`${lastMonth} `]).toBeCloseTo(unknown, 1)
    const { gaps } = await harness.raw(`truck/${lastMonth}/`)
    expect(gaps).toEqual([
      {
        startedAt: expect.stringMatching(/-15T17:0\d:\d0\.000Z$/),
        endedAt: `${lastMonth}-15T18:00:00.000Z`,
        reason: 'time',
        fromJurisdiction: 'KS',
        toJurisdiction: expect.stringMatching(/^(KS|MO)$/),
        straightKilometers: expect.closeTo(kilometersBetween(place(39.05, -94.9), border), 1),
        odometerKilometers: expect.closeTo(unknown, 1),
      },
    ])
    expect((await harness.raw(`truck/${lastMonth}/KS`)).gaps).toEqual(gaps)
  })

  test('has a record for a month with only an unmeasured gap', async () => {
    await using harness = await IftaHarness.start(store)
    await harness.seed('truck', [
      { ...kansas, locatedAt: noon },
      { ...missouri, locatedAt: noon + HOUR_MS },
    ])
    await harness.compute()
    expect(sumsOf(await harness.months())).toEqual({ [`${lastMonth} `]: 0 })
    expect((await harness.raw(`truck/${lastMonth}/`)).gaps).toMatchObject([{ odometerKilometers: null }])
  })

  test('is recomputed with later points, without outdated records', async () => {
    await using harness = await IftaHarness.start(store)
    const wrong = [...drive([missouri, place(39.05, -94)], { startAt: noon, everySeconds: 60 })]
    await harness.seed('truck', wrong)
    await harness.compute()
    expect(Object.keys(sumsOf(await harness.months()))).toEqual([`${lastMonth} MO`])
    const right = wrong.map((fix) => ({ ...fix, longitude: fix.longitude - 1 }))
    await harness.seed('truck', right)
    harness.harness.moveClock(7 * HOUR_MS)
    await harness.compute()
    expect(sumsOf(await harness.months())).toEqual({
      [`${lastMonth} KS`]: expect.closeTo(lengthOf(right), 1),
    })
  })

  test('is recomputed with later odometer readings', async () => {
    await using harness = await IftaHarness.start(store)
    const fixes = [...drive([kansas, missouri], { startAt: noon, odometerScale: 1.1, everySeconds: 10 })]
    await harness.seed(
      'truck',
      fixes.map((fix) => ({ ...fix, odometerKilometers: null })),
    )
    await harness.compute()
    const inKansasNow = async () => sumsOf(await harness.months())[`${lastMonth} KS`]!
    expect(await inKansasNow()).toBeCloseTo(inKansas, 0)
    // The readings lie between the fixes, and the last one after the last fix.
    const readings = fixes.map((fix) => ({ ...fix, locatedAt: fix.locatedAt + 1000 }))
    await harness.seedReadings('truck', readings)
    harness.harness.moveClock(7 * HOUR_MS)
    await harness.compute()
    expect(Math.abs((await inKansasNow()) - inKansas * 1.1)).toBeLessThan(0.5)
  })

  test('is recomputed with one later reading that gives an earlier fix its value', async () => {
    await using harness = await IftaHarness.start(store)
    const start = { ...kansas, locatedAt: noon, odometerKilometers: 1000 }
    const end = { ...place(39.05, -94.9), locatedAt: noon + HOUR_MS }
    await harness.seed('truck', [start, end])
    await harness.seedReadings('truck', [
      { ...end, locatedAt: end.locatedAt - 30_000, odometerKilometers: 1020 },
    ])
    await harness.compute()
    expect(sumsOf(await harness.months())).toEqual({ [`${lastMonth} `]: 0 })
    await harness.seedReadings('truck', [
      { ...end, locatedAt: end.locatedAt + 30_000, odometerKilometers: 1020 },
    ])
    harness.harness.moveClock(7 * HOUR_MS)
    await harness.compute()
    expect(sumsOf(await harness.months())).toEqual({ [`${lastMonth} `]: 20 })
  })

  test('is not recomputed without new points, nor after every sync', async () => {
    await using harness = await IftaHarness.start(store)
    await harness.seed('truck', drive([kansas, missouri], { startAt: noon }))
    await harness.compute()
    const before = await harness.db.rows('SELECT * FROM `ifta_vehicle_months` ORDER BY `id`')
    harness.harness.moveClock(7 * HOUR_MS)
    await harness.compute()
    expect(await harness.db.rows('SELECT * FROM `ifta_vehicle_months` ORDER BY `id`')).toEqual(before)
    await harness.seed('truck', drive([missouri, kansas], { startAt: noon + 5 * HOUR_MS }))
    harness.harness.moveClock(HOUR_MS)
    await harness.compute()
    expect(await harness.db.rows('SELECT * FROM `ifta_vehicle_months` ORDER BY `id`')).toEqual(before)
    await harness.compute({ startFrom: noon })
    expect(sumsOf(await harness.months())[`${lastMonth} KS`]).toBeCloseTo(2 * inKansas, 0)
  })

  test('is updated in both months around a late point', async () => {
    await using harness = await IftaHarness.start(store)
    const { endsAt: midnight } = monthCalendarOf('America/Chicago').monthNamed(lastMonth)
    const nextMonth = monthCalendarOf('America/Chicago').monthAt(midnight).name
    const track = [
      ...drive([kansas, place(39.05, -94.65)], { startAt: midnight - 600_000, everySeconds: 60 }),
    ]
    await harness.seed(
      'truck',
      track.filter(({ locatedAt }) => locatedAt <= midnight - 60_000),
    )
    await harness.compute()
    const before = sumsOf(await harness.months())
    await harness.seed(
      'truck',
      track.filter(({ locatedAt }) => locatedAt > midnight),
    )
    harness.harness.moveClock(7 * HOUR_MS)
    await harness.compute()
    const sums = sumsOf(await harness.months())
    // The two-minute drive across midnight counts half in each month.
    expect(sums[`${lastMonth} KS`]! - before[`${lastMonth} KS`]!).toBeCloseTo(100 / 60, 0)
    expect(sums[`${lastMonth} KS`]! + sums[`${nextMonth} KS`]!).toBeCloseTo(lengthOf(track), 1)
  })

  test('is in UTC if the time zone of the fleet is unknown', async () => {
    await using harness = await IftaHarness.start(store)
    await harness.set({ timeZone: 'Nowhere/City' })
    await harness.seed('truck', drive([kansas, border], { startAt: at('2024-06-01T01:00:00Z') }))
    await harness.compute()
    expect([...new Set((await harness.months()).map(({ month }) => month))]).toEqual(['2024-06'])
    expect((await harness.raw('truck/2024-06/KS')).timeZone).toBe('UTC')
  })

  test('resumes after the last vehicle of a stopped worker', async () => {
    const vehicles = ['a', 'b', 'c', 'd']
    await using harness = await IftaHarness.start(store, vehicles)
    for (const vehicle of vehicles) await harness.seed(vehicle, drive([kansas, missouri], { startAt: noon }))
    const sync = await harness.harness.request()
    const stop = new AbortController()
    const unsubscribe = harness.db.onStatement((sql) => {
      if (sql.includes('INTO `ifta_vehicle_months`')) stop.abort()
    })
    await expect(harness.compute({ syncId: sync.id, signal: stop.signal })).rejects.toThrow('abort')
    unsubscribe()
    const first = await harness.months()
    expect(first).toHaveLength(2)
    expect(await harness.place()).toMatchObject({ done: 0 })
    const written: string[] = []
    harness.db.onStatement((sql) => {
      if (sql.includes('INTO `ifta_vehicle_months`')) written.push(sql)
    })
    await harness.compute({ syncId: sync.id })
    expect(written).toHaveLength(3)
    const months = await harness.months()
    expect(months).toHaveLength(8)
    expect(months).toEqual(expect.arrayContaining(first))
    expect(await harness.place()).toMatchObject({ done: 1, syncId: sync.id })
  })

  test('covers all vehicles after a stopped sync that failed', async () => {
    await using harness = await IftaHarness.start(store, ['a', 'b'])
    await harness.seed('a', drive([kansas, missouri], { startAt: noon }))
    await harness.seed('b', drive([kansas, missouri], { startAt: noon }))
    const stop = new AbortController()
    harness.db.onStatement((sql) => sql.includes('INTO `ifta_vehicle_months`') && stop.abort())
    const sync = await harness.harness.request()
    await expect(harness.compute({ syncId: sync.id, signal: stop.signal })).rejects.toThrow('abort')
    await harness.db.transaction((tx) => tx.run("UPDATE `syncs` SET `status` = 'failed'"))
    await harness.compute()
    expect(await harness.months()).toHaveLength(4)
  })
})
