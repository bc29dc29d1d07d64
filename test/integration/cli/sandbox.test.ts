import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kilometersBetween } from '../../../src/domain/geo/geodesy.ts'
import { toInstant, toIso } from '../../../src/domain/time.ts'
import { stores } from '../../support/database/stores.ts'
import { seedApplication } from '../../support/factories.ts'
import { MASTER_KEY, runInProcess } from '../../support/harnesses/cli-harness.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const DAY_MS = 86_400_000
const UNTIL = Date.UTC(2026, 2, 20, 12)
const SYNCED_MS = 3 * DAY_MS
const COLUMNS =
  'at,vehicleId,cardId,driverId,merchantName,categoryCode,longitude,latitude,line1,city,state,postalCode,country,' +
  'amount,currency,product,liters,phase'

type Row = Readonly<Record<string, string>>

describe.each(stores)('the fuel purchases of a sandbox fleet on %s', (store) => {
  let harness: SyncHarness
  let own: string[]

  beforeAll(async () => {
    harness = await SyncHarness.start(store, { vehicles: 8, startsAt: UNTIL })
    const { applicationId } = await harness.client()
    own = ['--application', applicationId, '--connection', harness.connectionId]
    await harness.db.transaction((tx) =>
      tx.run('UPDATE `connections` SET `backfillFrom` = ? WHERE `id` = ?', [
        UNTIL - SYNCED_MS,
        harness.connectionId,
      ]),
    )
    await harness.sync()
  }, 120_000)
  afterAll(() => harness[Symbol.asyncDispose]())

  const run = (...args: string[]) =>
    runInProcess(harness.home, { ...harness.home.environment, ENCRYPTION_KEY: MASTER_KEY }, [
      'sandbox',
      'purchases',
      ...args,
    ])
  const since = (ms: number) => ['--from', toIso(UNTIL - ms), '--until', toIso(UNTIL)]
  async function rows(...options: string[]): Promise<Row[]> {
    const { code, out, error } = await run(...own, ...options)
    expect([code, error]).toEqual([0, ''])
    return parse(out, { columns: true })
  }

  test('agree with the synced positions and fuel levels', async () => {
    const bought = await rows(...since(SYNCED_MS), '--truth')
    const fills = bought.filter(
      ({ phase, theft, product }) =>
        phase === 'capture' && theft === '' && /^(diesel|gasoline)$/.test(product!),
    )
    let compared = 0
    let placed = 0
    for (const { at, vehicleId, liters, longitude, latitude } of fills) {
      const time = toInstant(at!)!
      const [vehicle] = await harness.db.rows<{ fuelTankCapacity: number }>(
        'SELECT `fuelTankCapacity` FROM `vehicles` WHERE `id` = ?',
        [vehicleId],
      )
      const level = (side: '<' | '>', order: 'DESC' | 'ASC') =>
        harness.db.rows<{ value: number }>(
          `SELECT \`value\` FROM \`vehicle_stat_logs\` WHERE \`vehicleId\` = ? AND \`type\` = 'fuel_level'
            AND \`timestamp\` ${side} ? ORDER BY \`timestamp\` ${order} LIMIT 1`,
          [vehicleId, time],
        )
      const [[before], [after]] = [await level('<', 'DESC'), await level('>', 'ASC')]
      const capacity = vehicle!.fuelTankCapacity
      if (before && after) {
        compared++
        const rise = ((after.value - before.value) / 100) * capacity
        // Levels are measured every 10 minutes while the engine runs.
        expect(Math.abs(rise - Number(liters))).toBeLessThan(0.03 * capacity)
      }
      if (longitude === '') continue
      const [position] = await harness.db.rows<{ longitude: number; latitude: number }>(
        'SELECT `longitude`, `latitude` FROM `vehicle_locations` WHERE `vehicleId` = ? AND `locatedAt` < ? ORDER BY `locatedAt` DESC LIMIT 1',
        [vehicleId, time],
      )
      if (!position) continue
      placed++
      const station = { longitude: Number(longitude), latitude: Number(latitude) }
      expect(kilometersBetween(position, station)).toBeLessThan(1)
    }
    expect(compared).toBeGreaterThan(10)
    expect(placed).toBeGreaterThan(0)
  })

  test('name vehicles and drivers of the connection', async () => {
    const bought = await rows(...since(SYNCED_MS))
    const idsIn = async (table: string) =>
      (await harness.db.rows<{ id: string }>(`SELECT \`id\` FROM \`${table}\``)).map(({ id }) => id)
    const [vehicles, drivers] = [await idsIn('vehicles'), await idsIn('drivers')]
    for (const { vehicleId, driverId } of bought) {
      expect(vehicles).toContain(vehicleId)
      if (driverId !== '') expect(drivers).toContain(driverId)
    }
    expect(bought.some(({ driverId }) => driverId !== '')).toBe(true)
  })

  test('are an authorization and a capture each, in order of time', async () => {
    const bought = await rows(...since(21 * DAY_MS))
    expect(bought.map(({ at }) => at)).toEqual(bought.map(({ at }) => at).toSorted())
    const [authorizations, captures] = ['authorization', 'capture'].map((phase) =>
      bought.filter((row) => row['phase'] === phase),
    )
    expect(authorizations!.map(({ at, cardId }) => [at, cardId])).toEqual(
      captures!.map(({ at, cardId }) => [at, cardId]),
    )
    expect(captures!.every(({ liters, product }) => Number(liters) > 0 && product !== '')).toBe(true)
    expect(authorizations!.some(({ liters, amount }) => liters === '' && amount === '125')).toBe(true)
  })

  test('are the same in each run and in a longer period', async () => {
    const week = await run(...own, ...since(7 * DAY_MS), '--truth')
    expect(await run(...own, ...since(7 * DAY_MS), '--truth')).toEqual(week)
    const longer = await rows(...since(21 * DAY_MS), '--truth')
    const from = toIso(UNTIL - 7 * DAY_MS)
    expect(await rows(...since(7 * DAY_MS), '--truth')).toEqual(longer.filter(({ at }) => at! >= from))
  })

  test('contain thefts, whose truth only --truth prints', async () => {
    const { out } = await run(...own, ...since(21 * DAY_MS), '--thieves', '0.5')
    const header = (text: string) => text.slice(0, text.indexOf('\n'))
    expect(header(out)).toBe(COLUMNS)
    const known = await run(...own, ...since(21 * DAY_MS), '--thieves', '0.5', '--truth')
    expect(header(known.out)).toBe(`${COLUMNS},theft,visible`)
    const bought = await rows(...since(21 * DAY_MS), '--thieves', '0.5', '--truth')
    const found = new Set(bought.map(({ theft, visible }) => `${theft === '' ? 'none' : 'theft'} ${visible}`))
    expect([...found].toSorted()).toEqual(['none ', 'theft false', 'theft true'])
    const honest = await rows(...since(21 * DAY_MS), '--no-thieves', '--truth')
    expect(new Set(honest.map(({ theft }) => theft))).toEqual(new Set(['']))
  })

  test('are those of the last three weeks if no time is named, and JSON if requested', async () => {
    const { out } = await run('--json', ...own)
    const bought = JSON.parse(out) as Row[]
    const ages = bought.map(({ at }) => Date.now() - toInstant(at!)!)
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...ages)).toBeLessThan(21 * DAY_MS + 60_000)
    expect(Math.max(...ages)).toBeGreaterThan(19 * DAY_MS)
  })

  test.each([
    [['--thieves', '2'], 2, /Give a share from 0 to 1/],
    [['--from', toIso(UNTIL), '--until', toIso(UNTIL)], 2, /--from must be before --until/],
  ])('are refused with %j', async (options, code, message) => {
    const { out, error, ...result } = await run(...own, ...options)
    expect([result.code, out]).toEqual([code, ''])
    expect(error).toMatch(message)
  })

  test('belong to a connection of the sandbox and of the application', async () => {
    const other = await seedApplication(harness.db, [() => ({})])
    const foreign = await run('--application', other.id, '--connection', harness.connectionId)
    expect([foreign.code, foreign.error]).toEqual([1, expect.stringMatching(/there is no connection/)])
    const [{ connection }] = other.connections as [(typeof other.connections)[number]]
    await harness.db.transaction((tx) =>
      tx.run("UPDATE `connections` SET `provider` = 'samsara' WHERE `id` = ?", [connection.id]),
    )
    const real = await run('--application', other.id, '--connection', connection.id)
    expect([real.code, real.error]).toEqual([1, expect.stringMatching(/only vehicles of the sandbox/)])
  })

  test('are not made up for a sandbox with another seed', async () => {
    await harness.db.transaction((tx) =>
      tx.run("UPDATE `connections` SET `sourceId` = 'acc-zz' WHERE `id` = ?", [harness.connectionId]),
    )
    const { code, error } = await run(...own)
    expect([code, error]).toEqual([1, expect.stringMatching(/another seed/)])
  })
})
