import type { Fake, Ground } from '../../kit/fake.ts'
import type { Vehicle, World } from '../../world/truth.ts'
import { vehiclesOf } from '../lists.ts'
import type { TraccarSwitches } from '../wire.ts'
import { faults, safetyEvents, trips } from './happenings.ts'
import { devices, drivers, groups, vehicles } from './lists.ts'
import { ifta, latest, locations, stats, utilization } from './places.ts'

type Telling = (
  vehicle: Vehicle,
  from: number,
  to: number,
  world: World,
  switches: TraccarSwitches,
) => object[]

/**
 * What a reader should come to, in the words and units of the service's drafts. Ids are Traccar's own, a
 * driver's the unique id; a trip is `device:start in milliseconds`, a fault `device:code:first position`, a day `device:date`.
 */
export function oracleOf({ accounts }: Ground, switches: TraccarSwitches): Fake['truth'] {
  const list = (tell: (world: World) => object[]) => (account: number) => tell(accounts.world(account))
  const each = (tell: Telling) => (account: number, from: number, to: number) => {
    const world = accounts.world(account)
    return vehiclesOf(world).flatMap((vehicle) => tell(vehicle, from, to, world, switches))
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
