import type { Fake, FakeContext } from '../../kit/fake.ts'
import type { Vehicle, World } from '../../world/truth.ts'
import { vehiclesOf } from '../lists.ts'
import type { TraccarSwitches } from '../wire.ts'
import { faults, safetyEvents, trips } from './timed-records.ts'
import { devices, drivers, groups, vehicles } from './lists.ts'
import { ifta, latest, locations, stats, utilization } from './places.ts'

type ExpectedRecords = (
  vehicle: Vehicle,
  from: number,
  to: number,
  world: World,
  switches: TraccarSwitches,
) => object[]

/**
 * Returns the records that an adapter should read, in the names and units of normalized records. Ids are those of
 * Traccar, except the unique id of a driver, `device:start` in milliseconds of a trip, `device:code:first position` of
 * a fault, and `device:date` of a day.
 */
export function oracleOf({ accounts }: FakeContext, switches: TraccarSwitches): Fake['truth'] {
  const list = (recordsOf: (world: World) => object[]) => (account: number) =>
    recordsOf(accounts.world(account))
  const each = (recordsOf: ExpectedRecords) => (account: number, from: number, to: number) => {
    const world = accounts.world(account)
    return vehiclesOf(world).flatMap((vehicle) => recordsOf(vehicle, from, to, world, switches))
  }
  return {
    Group: list(groups),
    Driver: list(drivers),
    Vehicle: list(vehicles),
    Device: list((world) => devices(world, switches)),
    Trip: each(trips),
    SafetyEvent: each(safetyEvents),
    FaultCodeEvent: each(faults),
    VehicleLocation: each(locations),
    VehicleStatLog: each(stats),
    VehicleUtilization: each(utilization),
    LatestVehicleLocation: each((vehicle, _from, _to, world) => latest(vehicle, world, switches)),
    IFTASummary: (account, from, to) => {
      const world = accounts.world(account)
      return ifta(vehiclesOf(world), from, to, world)
    },
  }
}
