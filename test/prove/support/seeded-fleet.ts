import type { Database } from '../../../src/storage/database.ts'
import {
  groupRow,
  type SeededApplication,
  seedApplication,
  tripRow,
  vehicleRow,
} from '../../support/factories.ts'

/** Stores an application with one connection: vehicles of one group, and trips of each vehicle. */
export const seedFleet = (
  db: Database,
  { vehicles: vehicleCount, tripsPerVehicle }: { vehicles: number; tripsPerVehicle: number },
): Promise<SeededApplication> =>
  seedApplication(db, [
    (owner) => {
      const groups = [groupRow(owner)]
      const groupIds = groups.map(({ id }) => id)
      const vehicles = Array.from({ length: vehicleCount }, () => vehicleRow(owner, { groupIds }))
      const tripsOf = ({ id }: { id: string }) =>
        Array.from({ length: tripsPerVehicle }, () => tripRow(owner, { vehicleId: id }))
      return { groups, vehicles, trips: vehicles.flatMap(tripsOf) }
    },
  ])
