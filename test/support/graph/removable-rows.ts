import { toIso } from '../../../src/domain/time.ts'
import type { ProviderRecord } from '../../../src/subgraphs/tables/provider-record.ts'
import {
  driverRow,
  MINUTE,
  NOON,
  type Owner,
  type Records,
  safetyEventRow,
  tripRow,
  vehicleRow,
} from '../factories.ts'
import { faultCodeRow, hosDailyLogRow, hosLogRow } from '../rows/record-rows.ts'

/** Lists of records that can be removed, with the types that have the list of an owner. */
export const removableLists = {
  trips: ['vehicle', 'driver'],
  safetyEvents: ['vehicle', 'driver'],
  faultCodeEvents: ['vehicle'],
  hosLogs: ['driver'],
  hosDailyLogs: ['driver'],
} as const satisfies Partial<Record<keyof Records, readonly ('vehicle' | 'driver')[]>>

export type RemovableList = keyof typeof removableLists

export const removableFields = Object.keys(removableLists) as readonly RemovableList[]

/** Time of the removal of each removed record. */
export const REMOVED_AT = NOON
export const REMOVED_AT_ISO = toIso(REMOVED_AT)

/** Returns records of one vehicle and one driver. Every third record of each list is removed. */
export function removableRows(owner: Owner, count: number): Partial<Records> {
  const vehicles = [vehicleRow(owner)]
  const drivers = [driverRow(owner)]
  const [vehicleId, driverId] = [vehicles[0]!.id, drivers[0]!.id]
  const rowsOf = <Row>(make: (values: Partial<ProviderRecord>, startedAt: number) => Row): Row[] =>
    Array.from({ length: count }, (_, at) => {
      const removed = at % 3 === 2 ? { deletedAt: REMOVED_AT, modifiedAt: REMOVED_AT } : {}
      return make(removed, NOON - (count - at) * MINUTE)
    })
  return {
    vehicles,
    drivers,
    trips: rowsOf((values, startedAt) => tripRow(owner, { ...values, vehicleId, driverId, startedAt })),
    safetyEvents: rowsOf((values, startedAt) =>
      safetyEventRow(owner, { ...values, vehicleId, driverId, startedAt }),
    ),
    faultCodeEvents: rowsOf((values, observedAt) =>
      faultCodeRow(owner, { ...values, vehicleId, observedAt }),
    ),
    hosLogs: rowsOf((values, startedAt) => hosLogRow(owner, { ...values, driverId, startedAt })),
    hosDailyLogs: rowsOf((values, startedAt) =>
      hosDailyLogRow(owner, { ...values, driverId, date: toIso(startedAt).slice(0, 10) }),
    ),
  }
}
