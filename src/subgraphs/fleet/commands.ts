import { setVehicleFacts, type VehicleCommandDeps } from './vehicle-facts/set-vehicle-facts.ts'
import type { VisibleRequester } from '../tables/visible-reads.ts'
import type { SetVehicleFactsInput } from './vehicle-facts/set-vehicle-facts-input.ts'
import type { Vehicle } from './vehicle.ts'

/** Vehicle commands of one caller. `clearReads` drops the rows that the operation has read before the write. */
export const vehicleCommands = (
  deps: VehicleCommandDeps,
  requester: VisibleRequester,
  clearReads: () => void,
) => ({
  async setVehicleFacts(input: SetVehicleFactsInput): Promise<Vehicle> {
    const vehicle = await setVehicleFacts(deps, requester, input)
    clearReads()
    return vehicle
  },
})

export interface VehicleCommandsContext {
  readonly vehicleCommands: ReturnType<typeof vehicleCommands>
}
