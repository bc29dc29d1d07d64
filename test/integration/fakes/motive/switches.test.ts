import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../../fakes/kit/behaviours.ts'
import { behaviours as motiveBehaviours } from '../../../fakes/motive/behaviours.ts'
import { query, type FakeHarness, runMotive } from '../../../fakes/motive/harness.ts'

const dates = query({ start_date: '2026-06-01', end_date: '2026-06-12' })
const month = query({ start_date: '2026-05-01', end_date: '2026-06-30' })
const instants = query({ start_at: '2026-06-10T12:00:00Z', end_at: '2026-06-11T12:00:00Z' })
const history = `/v3/vehicle_locations/9001?${dates}`
const later = 'updated_after=2026-06-12T00:00:00Z'
const logs = '/v1/logs?start_date=2026-06-10&end_date=2026-06-15&per_page=100'
const events = '/v2/driver_performance_events?per_page=100'

/** Request that shows the effect of each switch. Other suites test sign-in, concurrency and webhooks. */
const pathOfSwitch: Partial<Record<keyof typeof motiveBehaviours, string>> = {
  errorBody: '/v1/vehicles?per_page=250',
  order: '/v1/vehicles',
  happeningsChanged: `/v1/driving_periods?${dates}&${later}&per_page=100`,
  speedingChanged: `/v1/speeding_events?${later}`,
  faultsChanged: '/v1/fault_codes?updated_after=2026-06-15T17:59:59Z',
  unknownZone: history,
  endDate: history,
  metricHeader: '/v1/vehicles',
  dotIds: '/v1/companies',
  groupIds: '/v1/vehicles',
  electricFuel: '/v1/vehicles?per_page=100',
  assetPlace: '/v1/asset_locations',
  latestUnits: '/v3/vehicle_locations',
  historyNames: history,
  historyPages: history,
  locationTypes: history,
  badPlaces: history,
  nullIsland: history,
  drivingWindow: `/v1/driving_periods?${month}`,
  drivingRuns: '/v1/driving_periods?start_date=2026-06-15&end_date=2026-06-15',
  drivingMatch: '/v1/driving_periods?start_date=2026-06-12&end_date=2026-06-12&per_page=100',
  drivingKilometers: `/v1/driving_periods?${dates}`,
  drivingOdometers: `/v1/driving_periods?${dates}`,
  drivingEnds: `/v1/driving_periods?${dates}`,
  undatedLogs: '/v1/logs',
  eventEnds: logs,
  openEvent: '/v1/logs?start_date=2026-06-15&end_date=2026-06-15&per_page=100',
  specialDuties: logs,
  notes: logs,
  dutyBesideTime: '/v1/available_time',
  acceleration: events,
  coordinates: events,
  eventTypes: events,
  cameras: events,
  faultNetworks: '/v1/fault_codes?per_page=100',
  fmi: '/v1/fault_codes?per_page=100',
  utilizationDates: `/v2/vehicle_utilization?${instants}`,
  iftaDistance: `/v1/ifta/summary?${query({ start_date: '2026-06-01', end_date: '2026-06-30' })}`,
}

const testedInOtherSuites: readonly (keyof typeof motiveBehaviours)[] = [
  'tokenSeconds',
  'refreshTokens',
  'tokenErrors',
  'missingScope',
  'atOncePer',
  'tooManyAtOnce',
  'webhookBody',
]

/** Headers whose effect depends on a switch. */
const headersOf: Readonly<Record<string, Record<string, string>>> = {
  unknownZone: { 'x-time-zone': 'Middle of nowhere' },
  metricHeader: { 'x-metric-units': 'true' },
  /** A day starts in Tokyo while trucks drive in America. */
  drivingMatch: { 'x-time-zone': 'Tokyo' },
}

const behaviours = Object.entries(motiveBehaviours) as readonly (readonly [
  keyof typeof motiveBehaviours,
  Behaviour,
])[]
const withPositions = behaviours.flatMap(([name, { positions }]) => (positions ? [{ name, positions }] : []))

test('every unverified behaviour has a switch', () => {
  const withoutSwitch = behaviours.filter(([, { mark, positions }]) => mark !== 'V' && !positions)
  expect(withoutSwitch).toEqual([])
})

test('every switch is tested', () => {
  const tested = [...Object.keys(pathOfSwitch), ...testedInOtherSuites].toSorted()
  expect(tested).toEqual(withPositions.map(({ name }) => name).toSorted())
})

describe('every position of a switch has a different response:', () => {
  let motive: FakeHarness
  beforeAll(async () => {
    motive = await runMotive({ vehicles: 60, days: 60 })
  })
  afterAll(() => motive[Symbol.asyncDispose]())

  test.each(withPositions.filter(({ name }) => name in pathOfSwitch))(
    '$name',
    async ({ name, positions }) => {
      const seen = new Set<string>()
      for (const position of positions) {
        await motive.fake.behave({ [name]: position })
        const { status, text } = await motive.get(pathOfSwitch[name] as string, headersOf[name])
        expect(status).toBeLessThan(500)
        seen.add(text)
      }
      await motive.fake.behave({ [name]: positions[0] as string })
      expect(seen.size).toBe(positions.length)
    },
  )
})
