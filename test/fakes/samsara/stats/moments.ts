import type { Fix, Ms, Vehicle } from '../../world/truth.ts'
import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { toTime } from '../formats.ts'
import { faultReports, toFaultCodes } from './faults.ts'
import { statTypes } from './types.ts'

/** Readings of a vehicle at a time, by type. */
export interface Moment {
  readonly vehicle: Vehicle
  readonly at: Ms
  readonly arrivedAt: Ms
  readonly readings: Readonly<Record<string, object>>
}

/** Types of readings that a request names. */
export interface Wanted {
  readonly types: readonly string[]
  readonly decorations: readonly string[]
}

/** Returns the requested readings of a vehicle, in the order of time. */
export function momentsOf(
  request: FakeRequest,
  vehicle: Vehicle,
  wanted: Wanted,
  from: Ms,
  to: Ms,
): Moment[] {
  const { organization } = request
  const fixTypes = wanted.types.filter((type) => type in statTypes)
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
  const read = (names: readonly string[], common: object) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const reading = statTypes[name]?.read(fix, vehicle, switches)
        return reading ? [[name, { ...common, ...reading }]] : []
      }),
    )
  const decorated = decorations.length > 0 ? { time, decorations: read(decorations, {}) } : { time }
  return { vehicle, at: fix.at, arrivedAt: fix.arrivedAt, readings: read(types, decorated) }
}

/** Returns the newest reading of each type; null if there is none. */
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

export function groupedByVehicle(moments: readonly Moment[]): object[] {
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
