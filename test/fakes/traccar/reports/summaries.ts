import type { Ms, Vehicle, World } from '../../world/truth.ts'
import { localDays } from './days.ts'
import type { Position } from '../positions/position.ts'
import { positionsOf } from '../positions/positions.ts'
import { withCounters, counterOf, litersOver, metersOver, speedsOver, within } from './trips.ts'
import { type TraccarSwitches, toDate } from '../wire.ts'
import { zonesOf } from '../zones.ts'

/** Returns the summary of a device in a period: one row, or one a day. */
export function summariesOf(
  vehicle: Vehicle,
  from: Ms,
  to: Ms,
  isDaily: boolean,
  world: World,
  switches: TraccarSwitches,
): object[] {
  const periods = isDaily ? localDays(world, from, to, zonesOf(world, switches).days) : [{ from, to }]
  const all = withCounters(positionsOf(vehicle.number, from, to, world, switches))
  return periods.flatMap((period) => {
    const positions = within(all, period.from, period.to)
    if (positions.length === 0 && switches.is('quietDevices', 'left_out')) return []
    return [summaryOf(vehicle, positions, period)]
  })
}

function summaryOf(vehicle: Vehicle, positions: readonly Position[], period: { from: Ms; to: Ms }): object {
  const [first, last] = [positions[0], positions.at(-1)]
  return {
    deviceId: vehicle.number,
    deviceName: vehicle.name,
    distance: metersOver(positions),
    ...speedsOver(positions),
    spentFuel: litersOver(positions),
    engineHours: counterOf(last, 'hours') - counterOf(first, 'hours'),
    startTime: first ? toDate(first.fixTime.getTime()) : toDate(period.from),
    endTime: last ? toDate(last.fixTime.getTime()) : toDate(period.to),
    startOdometer: counterOf(first, 'totalDistance'),
    endOdometer: counterOf(last, 'totalDistance'),
    startHours: counterOf(first, 'hours'),
    endHours: counterOf(last, 'hours'),
  }
}
