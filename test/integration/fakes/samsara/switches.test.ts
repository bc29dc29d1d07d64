import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { behaviours, type Switches } from '../../../fakes/samsara/behaviours.ts'
import { query, runSamsara, type FakeHarness } from '../../../fakes/samsara/harness.ts'

const now = '2026-06-15T18:00:00.000Z'
const [startTime, endTime] = ['2026-06-08T00:00:00Z', now]
const longAgo = '2026-06-01T00:00:00Z'

/** Request that shows the effect of each switch. Other suites test sign-in, trips and webhooks. */
const pathOfSwitch: Partial<Record<keyof Switches, string>> = {
  oldErrors: '/v1/fleet/trips',
  lastCursor: '/fleet/vehicles',
  pageSize: '/fleet/vehicles',
  readingsPerPage: `/fleet/vehicles/stats/history?${query({ types: 'gps', startTime, endTime })}`,
  unlistedPerSecond: '/_fake/budgets',
  times: '/fleet/vehicles',
  badFixes: `/fleet/vehicles/stats/history?${query({ types: 'gps', startTime, endTime })}`,
  emptyLists: `/fleet/hos/logs?${query({ startTime, endTime: '2026-06-08T00:00:01Z' })}`,
  phones: '/fleet/drivers',
  energyTypes: `/fleet/reports/vehicles/fuel-energy?${query({ startDate: longAgo, endDate: endTime })}`,
  quietVehicles: `/fleet/reports/vehicles/fuel-energy?${query({ startDate: '2026-06-14', endDate: '2026-06-15' })}`,
  obdOdometers: '/fleet/vehicles/stats?types=obdOdometerMeters',
  noDistance: `/fleet/hos/daily-logs?${query({ startDate: '2026-06-08' })}`,
  openLog: `/fleet/hos/logs?${query({ startTime, endTime })}`,
  hosLogs: `/fleet/hos/logs?${query({ startTime, endTime })}`,
  unknownDuties: `/fleet/hos/logs?${query({ startTime, endTime })}`,
  appOffline: '/fleet/hos/clocks',
  noDriver: `/safety-events/stream?${query({ startTime: longAgo })}`,
  unknownLabels: `/safety-events/stream?${query({ startTime: longAgo })}`,
}

const testedInOtherSuites: readonly (keyof Switches)[] = [
  'missingScope',
  'tokenErrors',
  'tokenSeconds',
  'reuseEndsFamily',
  'webhookTime',
  'deletedTrips',
  'oldTrips',
  'cursors',
  'runningEnd',
]

const withPositions = Object.entries(behaviours).flatMap(([name, behaviour]) =>
  'positions' in behaviour ? [{ name: name as keyof Switches, positions: behaviour.positions }] : [],
)

test('every unverified behaviour has a switch, or a reason why clients see no difference', () => {
  const withoutSwitch = Object.entries(behaviours).filter(
    ([, behaviour]) => behaviour.mark !== 'V' && !('positions' in behaviour) && !('fixed' in behaviour),
  )
  expect(withoutSwitch).toEqual([])
})

test('every switch is tested', () => {
  const tested = [...Object.keys(pathOfSwitch), ...testedInOtherSuites].toSorted()
  expect(tested).toEqual(withPositions.map(({ name }) => name).toSorted())
})

describe('every position of a switch has a different response:', () => {
  let samsara: FakeHarness
  beforeAll(async () => {
    samsara = await runSamsara({ now, vehicles: 30, days: 20 })
  })
  afterAll(() => samsara[Symbol.asyncDispose]())

  async function responseAt(path: string): Promise<string> {
    if (path.startsWith('/v1')) return (await samsara.send('GET', path, undefined)).text.slice(0, 1)
    if (!path.startsWith('/_fake')) return (await samsara.get(path)).text
    await samsara.send('POST', '/_fake/budgets', { '*': 10_000 })
    await samsara.get('/tags')
    return (await samsara.send('GET', path, undefined)).text
  }

  test.each(withPositions.filter(({ name }) => name in pathOfSwitch))(
    '$name',
    async ({ name, positions }) => {
      const seen = new Set<string>()
      for (const position of positions) {
        await samsara.fake.behave({ [name]: position })
        seen.add(await responseAt(pathOfSwitch[name] as string))
      }
      await samsara.fake.behave({ [name]: positions[0] })
      expect(seen.size).toBe(positions.length)
    },
  )
})
