import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeededApplication } from '../../support/factories.ts'
import { MINUTE } from '../../support/factories.ts'
import { rawOf, expectedVehicle } from '../../support/rest/expected-bodies.ts'
import { found, seedFleet } from '../../support/rest/fleet.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let seeded: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  seeded = await seedFleet(rest)
})

afterAll(() => rest[Symbol.asyncDispose]())

const own = () => seeded.connections[0]!
const ok = (path: string) => found(rest, path, seeded.narrowed(0))
const vehicle = () => own().vehicles[0]!.id
const HOUR = 60 * MINUTE

describe('utilization', () => {
  const sum = () => ({
    provider: 'sandbox',
    vehicle: vehicle(),
    startAt: expect.any(String),
    endAt: expect.any(String),
    distance: 600.5,
    fuelConsumed: 180,
    durations: { driving: 16 * HOUR, idling: 2 * HOUR },
  })

  test('has one row for each vehicle over the requested days', async () => {
    expect((await ok('/vehicles/utilization')).results).toEqual([sum()])
    expect((await ok('/vehicles/utilization?startDate=2026-01-30&endDate=2026-01-30')).results).toEqual([
      {
        ...sum(),
        distance: 100.25,
        fuelConsumed: 30,
        durations: { driving: 8 * HOUR, idling: HOUR },
      },
    ])
    expect((await ok('/vehicles/utilization?startDay=2026-01-31')).results).toEqual([])
    expect((await ok('/vehicles/utilization?endDay=2026-01-28')).results).toEqual([])
  })

  test('shows its vehicle with expand and its source records with raw=true', async () => {
    expect((await ok('/vehicles/utilization?expand=vehicle&raw=true')).results).toEqual([
      { ...sum(), vehicle: expectedVehicle(own()), raw: rawOf() },
    ])
  })

  test('is found by vehicle', async () => {
    expect((await ok(`/vehicles/utilization?vehicleIds=${own().vehicles[1]!.id}`)).results).toEqual([])
    expect((await ok(`/vehicles/utilization?vehicleIds=${vehicle()}`)).results).toHaveLength(1)
  })
})

describe('the IFTA summary', () => {
  const months = 'startMonth=2025-12&endMonth=2026-01'
  const provider = 'sandbox'

  test('sums distance by vehicle and jurisdiction by default', async () => {
    const { results } = await ok(`/ifta/summary?${months}`)
    expect(results).toEqual([
      { provider, vehicle: vehicle(), jurisdiction: 'OK', distance: 10 },
      { provider, vehicle: vehicle(), jurisdiction: 'TX', distance: 60 },
    ])
    expect((await ok(`/ifta/summary?${months}&groupBy=jurisdiction,vehicle`)).results).toEqual(results)
  })

  test.each<readonly [string, (vehicle: string) => object[]]>([
    ['vehicle', (id) => [{ provider, vehicle: id, distance: 70 }]],
    [
      'jurisdiction',
      () => [
        { provider, jurisdiction: 'OK', distance: 10 },
        { provider, jurisdiction: 'TX', distance: 60 },
      ],
    ],
    [
      'month,vehicle,jurisdiction',
      (id) => [
        { provider, vehicle: id, jurisdiction: 'OK', month: '2025-12', distance: 10 },
        { provider, vehicle: id, jurisdiction: 'TX', month: '2025-12', distance: 20 },
        { provider, vehicle: id, jurisdiction: 'TX', month: '2026-01', distance: 40 },
      ],
    ],
    [
      'month',
      () => [
        { provider, month: '2025-12', distance: 30 },
        { provider, month: '2026-01', distance: 40 },
      ],
    ],
  ])('sums it by %s', async (groupBy, sums) => {
    expect((await ok(`/ifta/summary?${months}&groupBy=${groupBy}`)).results).toEqual(sums(vehicle()))
  })

  test('covers the requested months, both included', async () => {
    const one = await ok('/ifta/summary?startMonth=2026-01&endMonth=2026-01&groupBy=vehicle')
    expect(one.results).toEqual([{ provider, vehicle: vehicle(), distance: 40 }])
    expect((await ok('/ifta/summary?startMonth=2026-02&endMonth=2026-02')).results).toEqual([])
  })

  test('shows its vehicle with expand and its source records with raw=true', async () => {
    const { results } = await ok(`/ifta/summary?${months}&groupBy=vehicle&expand=vehicle&raw=true`)
    expect(results).toEqual([{ provider, vehicle: expectedVehicle(own()), distance: 70, raw: rawOf() }])
  })
})
