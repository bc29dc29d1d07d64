import type { Fault } from '../../world/truth.ts'
import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { fuelEnergyIn } from '../reports/fuel-energy.ts'
import { fmiText } from '../stats/faults.ts'
import { dateAt, daysIn } from '../zone.ts'
import { keyOf, toKilometers, type NormalizedRecord } from './conversions.ts'

/** Returns one event per fault. A J1939 code is never pending. */
export const faultCodeEvents = (
  { organization }: FakeRequest,
  from: number,
  to: number,
): NormalizedRecord[] =>
  organization
    .vehicles()
    .flatMap(({ number }) =>
      organization.world.faults(number, from, to).map((fault) => toFault(fault, organization.now)),
    )

function toFault(
  { vehicle, code, description, isPending, lamp, openedAt, closedAt }: Fault,
  now: number,
): NormalizedRecord {
  const isClosed = closedAt !== null && closedAt <= now
  const name = code.protocol === 'obdii' ? code.dtc : `SPN${code.spn}-FMI${code.fmi}`
  const isPendingCode = isPending && code.protocol === 'obdii'
  const reported = {
    sourceId: keyOf(`${id('vehicle', vehicle)}:${name}`, openedAt),
    vehicleSourceId: id('vehicle', vehicle),
    status: isClosed ? 'closed' : isPendingCode ? 'pending' : 'open',
    code: name,
    description,
    observedAt: openedAt,
    milStatus: lamp ? 'on' : 'off',
  }
  if (code.protocol === 'obdii') return { ...reported, protocol: 'obdii' }
  return {
    ...reported,
    protocol: 'j1939',
    spn: code.spn,
    spnDescription: description,
    fmi: code.fmi,
    fmiDescription: fmiText(code.fmi),
    occurrenceCount: 1,
    sourceAddress: code.source,
  }
}

/** Returns the rows of the days that begin in the period, in the zone of the organization. */
export const vehicleUtilizations = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  daysIn(request.organization.world.account.timeZone, from, to)
    .filter((day) => day.from <= request.organization.now)
    .flatMap((day) =>
      fuelEnergyIn(request, request.organization.vehicles(), day.from, day.to).map((report) => ({
        sourceId: `${id('vehicle', report.vehicle.number)}:${day.date}`,
        vehicleSourceId: id('vehicle', report.vehicle.number),
        date: day.date,
        distanceKilometers: toKilometers(report.meters),
        fuelConsumedLiters: report.milliliters / 1000,
        drivingMilliseconds: report.runMilliseconds - report.idleMilliseconds,
        idlingMilliseconds: report.idleMilliseconds,
      })),
    )

/** Returns the rows of all months that overlap the period. */
export function iftaSummaries({ organization }: FakeRequest, from: number, to: number): NormalizedRecord[] {
  const { account } = organization.world
  const [first, last] = [from, to - 1].map((at) => dateAt(account.timeZone, at).slice(0, 7)) as [
    string,
    string,
  ]
  const months: string[] = []
  for (let month = first; month <= last; month = monthAfter(month)) months.push(month)
  return months
    .flatMap((month) => organization.world.jurisdictionDistances(month))
    .filter(({ vehicle }) => organization.vehicle(vehicle))
    .map(({ vehicle, month, jurisdiction, meters }) => ({
      sourceId: `${id('vehicle', vehicle)}:${month}:${jurisdiction}`,
      vehicleSourceId: id('vehicle', vehicle),
      month,
      jurisdiction,
      distanceKilometers: toKilometers(meters),
    }))
}

const monthAfter = (month: string): string => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}
