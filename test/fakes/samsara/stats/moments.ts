import type { Fix, Ms, Vehicle } from '../../world/truth.ts'
import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { toTime } from '../formats.ts'
import { faultReports, toFaultCodes } from './faults.ts'
import { readTypes } from './types.ts'

/** Readings of a vehicle at one time, by type. */
export interface Moment {
  readonly vehicle: Vehicle
  readonly at: Ms
  readonly arrivedAt: Ms
  readonly readings: Readonly<Record<string, object>>
}

/** Requested types of readings. */
export interface Wanted {
  readonly types: readonly string[]
  readonly decorations: readonly string[]
}

/** Returns the readings in time order; times without a requested type are left out. */
export function momentsOf(
  request: FakeRequest,
  vehicle: Vehicle,
  wanted: Wanted,
  from: Ms,
  to: Ms,
): Moment[] {
  const { organization } = request
  const fixTypes = wanted.types.filter((type) => type in readTypes)
  const fixes = fixTypes.length > 0 ? organization.world.fixes(vehicle.number, from, to) : []
  const moments = fixes.map((fix) => momentOf(request, vehicle, fix, { ...wanted, types: fixTypes }))
  if (wanted.types.includes('faultCodes'))
    for (const { at, arrivedAt, active } of faultReports(organization, vehicle))
      if (at >= from && at < to)
        moments.push({ vehicle, at, arrivedAt, readings: faultsAt(request, at, active) })
  return moments
    .filter(({ readings }) => Object.keys(readings).length > 0)
    .toSorted((one, other) => one.at - other.at)
}

const faultsAt = ({ switches }: FakeRequest, at: Ms, active: Parameters<typeof toFaultCodes>[0]) => ({
  faultCodes: { time: toTime(at, switches), ...toFaultCodes(active) },
})

function momentOf(
  { switches }: FakeRequest,
  vehicle: Vehicle,
  fix: Fix,
  { types, decorations }: Wanted,
): Moment {
  const time = toTime(fix.at, switches)
  const read = (names: readonly string[], more: object) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const reading = readTypes[name]?.read(fix, vehicle, switches)
        return reading ? [[name, { ...more, ...reading }]] : []
      }),
    )
  const decorated = decorations.length > 0 ? { time, decorations: read(decorations, {}) } : { time }
  return { vehicle, at: fix.at, arrivedAt: fix.arrivedAt, readings: read(types, decorated) }
}

/** Returns the newest arrived reading of each type; null before the first. */
export function latestOf(request: FakeRequest, vehicle: Vehicle, wanted: Wanted): Moment | null {
  const { organization } = request
  const fix = organization.world.lastFix(vehicle.number)
  const moments = fix ? [momentOf(request, vehicle, fix, wanted)] : []
  const report = wanted.types.includes('faultCodes') && faultReports(organization, vehicle).at(-1)
  if (report) moments.push({ vehicle, ...report, readings: faultsAt(request, report.at, report.active) })
  if (moments.length === 0) return null
  const readings = Object.assign({}, ...moments.map((moment) => moment.readings)) as Moment['readings']
  return { ...(moments[0] as Moment), readings }
}

/** Groups readings by vehicle, with a list of each type. */
export function gathered(moments: readonly Moment[]): object[] {
  const byVehicle = new Map<number, { id: string; name: string; [type: string]: object[] | string }>()
  for (const { vehicle, readings } of moments) {
    const entry = byVehicle.get(vehicle.number) ?? { id: id('vehicle', vehicle.number), name: vehicle.name }
    byVehicle.set(vehicle.number, entry)
    for (const [type, reading] of Object.entries(readings)) {
      const list = entry[type]
      if (Array.isArray(list)) list.push(reading)
      else entry[type] = [reading]
    }
  }
  return [...byVehicle.values()]
}
