import type { Fault } from '../../world/truth.ts'
import type { Asked } from '../call.ts'
import { id } from '../ids.ts'
import { fuelEnergyIn } from '../reports/fuel-energy.ts'
import { fmiText } from '../stats/faults.ts'
import { dateAt, daysIn } from '../zone.ts'
import { keyOf, toKilometers, type Draft } from './drafts.ts'

/** A code that is set is an event until it is not any more; one of trucks cannot be pending. */
export const faultCodeEvents = ({ organization }: Asked, from: number, to: number): Draft[] =>
  organization
    .vehicles()
    .flatMap(({ number }) =>
      organization.world.faults(number, from, to).map((fault) => toFault(fault, organization.now)),
    )

function toFault(
  { vehicle, code, description, isPending, lamp, openedAt, closedAt }: Fault,
  now: number,
): Draft {
  const isClosed = closedAt !== null && closedAt <= now
  const name = code.protocol === 'obdii' ? code.dtc : `SPN${code.spn}-FMI${code.fmi}`
  const isWaiting = isPending && code.protocol === 'obdii'
  const told = {
    sourceId: keyOf(`${id('vehicle', vehicle)}:${name}`, openedAt),
    vehicleSourceId: id('vehicle', vehicle),
    status: isClosed ? 'closed' : isWaiting ? 'pending' : 'open',
    code: name,
    description,
    observedAt: openedAt,
    milStatus: lamp ? 'on' : 'off',
  }
  if (code.protocol === 'obdii') return { ...told, protocol: 'obdii' }
  return {
    ...told,
    protocol: 'j1939',
    spn: code.spn,
    spnDescription: description,
    fmi: code.fmi,
    fmiDescription: fmiText(code.fmi),
    occurrenceCount: 1,
    sourceAddress: code.source,
  }
}

/** By day of the organization's zone, of the days that begin in the time. */
export const vehicleUtilizations = (asked: Asked, from: number, to: number): Draft[] =>
  daysIn(asked.organization.world.account.timeZone, from, to)
    .filter((day) => day.from <= asked.organization.now)
    .flatMap((day) =>
      fuelEnergyIn(asked, asked.organization.vehicles(), day.from, day.to).map((report) => ({
        sourceId: `${id('vehicle', report.vehicle.number)}:${day.date}`,
        vehicleSourceId: id('vehicle', report.vehicle.number),
        date: day.date,
        distanceKilometers: toKilometers(report.meters),
        fuelConsumedLiters: report.milliliters / 1000,
        drivingMilliseconds: report.runMilliseconds - report.idleMilliseconds,
        idlingMilliseconds: report.idleMilliseconds,
      })),
    )

/** Of the months that the time touches. */
export function iftaSummaries({ organization }: Asked, from: number, to: number): Draft[] {
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
