import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toIso } from '../../../src/domain/time.ts'
import { DAY, MINUTE, NOON, type SeededApplication, type SeededConnection } from '../../support/factories.ts'
import {
  bareVehicle,
  rawOf,
  syncs,
  expectedDevice,
  expectedDriver,
  expectedGroup,
  expectedIssue,
  expectedTrailer,
  expectedVehicle,
} from '../../support/rest/expected-bodies.ts'
import { STRANGER } from '../../support/rest/fleet-records.ts'
import { found, seedFleet, statValues } from '../../support/rest/fleet.ts'
import {
  availableTimes,
  dailyLogs,
  faultCodes,
  hosLogs,
  safetyEvents,
  stats,
  track,
  trailerPlaces,
} from '../../support/rest/expected-record-bodies.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let seeded: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  seeded = await seedFleet(rest)
})

afterAll(() => rest[Symbol.asyncDispose]())

const own = () => seeded.connections[0]!
const ok = (path: string, client = seeded.narrowed(0)) => found(rest, path, client)

type Body = Readonly<Record<string, unknown>>

const parent = (of: SeededConnection) => {
  const [row] = of.groups
  const { parent: _, description: __, ...group } = expectedGroup(of)
  return { ...group, id: row!.id, sourceId: row!.sourceId, name: 'All' }
}

const vehiclePath = (of: SeededConnection) => `/vehicles/${of.vehicles[0]!.id}`

/** Each list with its records, its expandable references, and the raw records of each record. */
const lists: readonly (readonly [
  path: (of: SeededConnection) => string,
  records: (of: SeededConnection) => readonly Body[],
  references: readonly string[],
  raw?: readonly (readonly unknown[])[],
])[] = [
  [() => '/trailers', (of) => [expectedTrailer(of)], ['groups'], [rawOf()]],
  [() => '/groups', (of) => [parent(of), expectedGroup(of)], ['parent'], [[], rawOf()]],
  [() => '/devices', (of) => [expectedDevice(of)], ['vehicle'], [rawOf()]],
  [() => '/trailers/locations', trailerPlaces, ['trailer'], [rawOf()]],
  [() => '/hos/logs', hosLogs, ['driver', 'vehicle', 'codrivers'], [rawOf(), []]],
  [() => '/hos/daily-logs', dailyLogs, ['driver'], [rawOf(), []]],
  [() => '/hos/available-time', availableTimes, ['driver'], [rawOf()]],
  [() => '/safety/events', safetyEvents, ['vehicle', 'driver'], [rawOf(), []]],
  [() => '/fault-codes/events', faultCodes, ['vehicle'], [rawOf(), []]],
  [(of) => `${vehiclePath(of)}/locations`, track, [], [rawOf('point'), []]],
  [
    (of) => `${vehiclePath(of)}/stats/historical`,
    stats,
    ['vehicle'],
    [rawOf('point'), ...statValues.slice(1).map(() => [])],
  ],
  [() => '/syncs', (of) => [syncs(of).completed, syncs(of).failed], ['issues']],
]

/** Returns all permutations of all non-empty subsets. */
const permutations = (names: readonly string[]): string[][] =>
  names.flatMap((name) => [
    [name],
    ...permutations(names.filter((other) => other !== name)).map((others) => [name, ...others]),
  ])

function expanded(record: Body, names: readonly string[], of: SeededConnection): Body {
  const wholes = new Map<unknown, unknown>(
    [
      expectedVehicle(of),
      bareVehicle(of),
      expectedDriver(of),
      expectedGroup(of),
      parent(of),
      expectedDevice(of),
      expectedTrailer(of),
      expectedIssue(of),
    ].map((whole) => [whole.id, whole]),
  )
  const whole = (id: unknown) => wholes.get(id) ?? id
  const present = names.filter((name) => name in record)
  const members = present.map((name) => {
    const value = record[name]
    return [name, Array.isArray(value) ? value.map(whole) : whole(value)] as const
  })
  return { ...record, ...Object.fromEntries(members) }
}

describe.each(
  lists.map(([path, ...row]) => [path({ vehicles: [{ id: '{id}' }] } as never), path, ...row] as const),
)('%s', (_, path, records, references, raw) => {
  test('lists records with references as ids and without null members', async () => {
    expect(await ok(path(own()))).toEqual({ results: records(own()) })
  })

  test('expands references in any order of their names', async () => {
    for (const names of permutations(references))
      expect([names, await ok(`${path(own())}?expand=${names.join(',')}`)]).toEqual([
        names,
        { results: records(own()).map((record) => expanded(record, names, own())) },
      ])
  })

  test("adds the provider's records with raw=true", async () => {
    if (!raw) return
    expect(await ok(`${path(own())}?raw=true`)).toEqual({
      results: records(own()).map((record, at) => ({ ...record, raw: raw[at] })),
    })
  })

  test('returns no records of other connections', async () => {
    const { status, body } = await rest.get(path(own()), seeded.narrowed(1))
    if (status === 404) expect(body).toEqual({ code: 'not_found', message: 'There is no such vehicle.' })
    else expect(body).toEqual({ results: [] })
  })
})

describe('one record', () => {
  test.each([
    ['/drivers/', (of: SeededConnection) => expectedDriver(of), 'groups'],
    ['/safety/events/', (of: SeededConnection) => safetyEvents(of)[0]!, 'driver,vehicle'],
    ['/syncs/', (of: SeededConnection) => syncs(of).completed, 'issues'],
  ])('%s{id} equals the record in the list', async (path, record, expand) => {
    const body = record(own())
    expect(await ok(`${path}${body.id}`)).toEqual(body)
    expect(await ok(`${path}${body.id}?expand=${expand}`)).toEqual(expanded(body, expand.split(','), own()))
  })
})

describe('filters', () => {
  const day = toIso(NOON - DAY)
  const minuteLater = toIso(NOON - DAY + MINUTE)

  test.each<readonly [path: string, positions: readonly number[]]>([
    [`/hos/logs?startedAfter=${minuteLater}`, [1]],
    [`/hos/logs?startedBefore=${minuteLater}`, [0]],
    [`/hos/logs?driverIds=${STRANGER}`, []],
    [`/hos/daily-logs?startDate=2026-01-31`, [1]],
    [`/hos/daily-logs?endDate=2026-01-30`, [0]],
    [`/hos/daily-logs?startDay=2026-01-30&endDay=2026-01-31`, [0, 1]],
    [`/hos/daily-logs?driverIds=${STRANGER}`, []],
    [`/hos/available-time?driverIds=${STRANGER}`, []],
    [`/safety/events?startedAfter=${toIso(NOON - DAY + 2 * MINUTE)}`, [1]],
    [`/safety/events?startedBefore=${toIso(NOON - DAY + 2 * MINUTE)}`, [0]],
    [`/safety/events?driverIds=${STRANGER}`, []],
    [`/safety/events?vehicleIds={bare}`, [1]],
    [`/safety/events?modifiedAfter=${toIso(NOON - 5 * DAY + 1)}`, []],
    [`/fault-codes/events?startAt=${minuteLater}`, [1]],
    [`/fault-codes/events?endAt=${day}`, [0]],
    [`/fault-codes/events?vehicleIds={bare}`, [1]],
    [`/fault-codes/events?modifiedBefore=${toIso(NOON - 5 * DAY)}`, []],
    [`/vehicles/{whole}/locations?startAt=${minuteLater}`, [1]],
    [`/vehicles/{whole}/locations?endAt=${day}`, [0]],
    [`/vehicles/{whole}/stats/historical?types=odometer,engine_state`, [0, 1]],
    [`/vehicles/{whole}/stats/historical?types=battery_voltage`, [11]],
    [`/vehicles/{whole}/stats/historical?startAt=${minuteLater}&endAt=${minuteLater}`, [1]],
    [`/syncs?status=failed`, [1]],
    [`/syncs?status=in_progress`, []],
  ])('%s', async (path, positions) => {
    const [whole, bare] = own().vehicles.map(({ id }) => id) as [string, string]
    const url = path.replace('{whole}', whole).replace('{bare}', bare)
    const base = url.split('?')[0]!
    const all = lists.find(([of]) => of(own()) === base)![1](own())
    expect((await ok(url)).results).toEqual(positions.map((at) => all[at]))
  })
})
