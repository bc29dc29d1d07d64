import { describe, expect, test } from 'vitest'
import { FueledVehicle } from '../../../src/providers/sandbox/simulator/purchases/fueled-vehicle.ts'
import { theftKinds } from '../../../src/providers/sandbox/simulator/purchases/simulated-purchase.ts'
import {
  purchasesIn,
  thievesAtPumps,
} from '../../../src/providers/sandbox/simulator/purchases/vehicle-purchases.ts'
import { locationAt } from '../../../src/providers/sandbox/simulator/records/locations.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import { kilometersBetween } from '../../../src/providers/sandbox/simulator/world/road-network/geometry.ts'

const fleet = { seed: 11, size: 60 }
const MONDAY = Date.UTC(2025, 8, 1)
const WEEKS = { from: MONDAY, until: MONDAY + 21 * DAY_MS }
const vehicles = Array.from({ length: fleet.size }, (_, at) => new FueledVehicle(fleet, at)).filter(
  ({ isTracked }) => isTracked,
)
const isFill = ({ product }: { readonly product: string }) => product === 'diesel' || product === 'gasoline'

describe('the honest purchases of a vehicle', () => {
  test('fill its tank by their liters, at the station where it stands', () => {
    const checked = vehicles.flatMap((vehicle) => {
      const honest = purchasesIn(vehicle, WEEKS, thievesAtPumps(0.3)).filter(({ theft }) => theft === null)
      return honest.filter(isFill).map(({ at, liters, station }) => {
        const [before, after] = [at, at + 6 * MINUTE_MS].map((time) => locationAt(vehicle.route, time))
        const rise = ((after!.fuelPercent - before!.fuelPercent) / 100) * vehicle.capacityLiters
        expect(Math.abs(rise - liters)).toBeLessThan(0.003 * liters + 0.001 * vehicle.capacityLiters + 0.01)
        expect(before!.speedMph).toBe(0)
        expect(kilometersBetween(before!, station.point)).toBeLessThan(0.1)
      })
    })
    expect(checked.length).toBeGreaterThan(500)
  })

  test('are the same with thieves and without', () => {
    for (const vehicle of vehicles) {
      const alone = purchasesIn(vehicle, WEEKS, thievesAtPumps(0)).filter(isFill)
      const among = purchasesIn(vehicle, WEEKS, thievesAtPumps(0.3)).filter(isFill)
      expect(alone).toEqual(expect.arrayContaining(among.filter(({ theft }) => theft === null)))
      expect(alone.every(({ theft }) => theft === null)).toBe(true)
    }
  })
})

test('the purchases of a period are those of a longer one', () => {
  for (const vehicle of vehicles) {
    const week = { from: MONDAY + 9 * DAY_MS, until: MONDAY + 16 * DAY_MS }
    const inWeek = purchasesIn(vehicle, WEEKS, thievesAtPumps(0.3)).filter(
      ({ at }) => at >= week.from && at < week.until,
    )
    expect(purchasesIn(vehicle, week, thievesAtPumps(0.3))).toEqual(inWeek)
  }
})

test('thieves at pumps commit every theft except that of fuel in a tank', () => {
  const purchases = vehicles.flatMap((vehicle) => purchasesIn(vehicle, WEEKS, thievesAtPumps(1)))
  const kinds = new Set(purchases.flatMap(({ theft }) => theft?.kind ?? []))
  expect([...kinds].toSorted()).toEqual(theftKinds.filter((kind) => kind !== 'siphoned').toSorted())
  expect(vehicles.flatMap(({ siphonings }) => siphonings)).toEqual([])
})
