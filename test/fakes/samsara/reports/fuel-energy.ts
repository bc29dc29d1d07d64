import type { Vehicle } from '../../world/truth.ts'
import { badRequest, listed, required, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { rounded } from '../formats.ts'
import { startOf } from '../zone.ts'

export interface FuelEnergy {
  readonly vehicle: Vehicle
  readonly meters: number
  readonly runMilliseconds: number
  readonly idleMilliseconds: number
  readonly milliliters: number
}

/**
 * Returns the sums of the trips that began in a period, by vehicle. Depending on a switch, vehicles
 * without trips are omitted.
 */
export function fuelEnergyIn(
  request: FakeRequest,
  vehicles: readonly Vehicle[],
  from: number,
  to: number,
): FuelEnergy[] {
  const { organization, switches } = request
  return vehicles.flatMap((vehicle) => {
    const trips = organization
      .tripsOf(vehicle.number)
      .filter(({ startedAt }) => startedAt >= from && startedAt < to)
    if (trips.length === 0 && switches.quietVehicles === 'omitted') return []
    const sum = (of: (trip: (typeof trips)[number]) => number) =>
      Math.round(trips.reduce((total, trip) => total + of(trip), 0))
    return {
      vehicle,
      meters: sum(({ meters }) => meters),
      runMilliseconds: sum(
        ({ drivingMilliseconds, idlingMilliseconds }) => drivingMilliseconds + idlingMilliseconds,
      ),
      idleMilliseconds: sum(({ idlingMilliseconds }) => idlingMilliseconds),
      milliliters: vehicle.fuel === 'electric' ? 0 : sum(({ fuelLiters }) => fuelLiters * 1000),
    }
  })
}

/** `/fleet/reports/vehicles/fuel-energy`: one sum per vehicle for the whole period. */
export function fuelEnergyReport(request: FakeRequest): object {
  const { organization, query, switches } = request
  const [from, to] = [momentIn(request, 'startDate'), momentIn(request, 'endDate')]
  if (to <= from) throw badRequest('endDate must be after startDate.')
  const vehicles = organization.vehiclesOf(listed(query, 'vehicleIds'))
  const reports = fuelEnergyIn(request, vehicles, from, to)
  const { items, pagination } = pageOf(
    request,
    reports,
    ({ vehicle }) => [vehicle.number],
    Number(switches.pageSize),
  )
  return { data: { vehicleReports: items.map((report) => toReport(request, report)) }, pagination }
}

/** Parses a time, or the start of a date in the zone of the organization. */
function momentIn({ organization, query }: FakeRequest, name: string): number {
  const value = required(query, name)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return startOf(organization.world.account.timeZone, value)
  const at = Date.parse(value)
  if (Number.isNaN(at)) throw badRequest(`Invalid value for parameter ${name}.`)
  return at
}

const LITERS_PER_GALLON = 3.785411784
const METERS_PER_MILE = 1609.344
const CENTS_PER_LITER = 105

function toReport({ switches }: FakeRequest, { vehicle, ...report }: FuelEnergy): object {
  const liters = report.milliliters / 1000
  const energyType = vehicle.fuel === 'electric' && switches.energyTypes === 'sent' ? 'electric' : 'fuel'
  const gallons = liters / LITERS_PER_GALLON
  return {
    vehicle: { id: id('vehicle', vehicle.number), name: vehicle.name, energyType },
    distanceTraveledMeters: report.meters,
    engineRunTimeDurationMs: report.runMilliseconds,
    engineIdleTimeDurationMs: report.idleMilliseconds,
    efficiencyMpge: gallons === 0 ? 0 : rounded(report.meters / METERS_PER_MILE / gallons, 1),
    fuelConsumedMl: report.milliliters,
    estFuelEnergyCost: { amount: rounded((liters * CENTS_PER_LITER) / 100, 2), currencyCode: 'USD' },
  }
}
