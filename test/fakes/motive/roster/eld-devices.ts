import type { Asked } from '../asked.ts'
import { pageOf } from '../pages.ts'
import { toEldSummary, toVehicleSummary } from './people.ts'

/** `/v1/eld_devices`: the gateway of each vehicle. */
export const listEldDevices = (asked: Asked): object =>
  pageOf(asked, { list: 'eld_devices', item: 'eld_device' }, asked.vehicles(), (vehicle) => ({
    vehicle: toVehicleSummary(asked, vehicle),
    ...toEldSummary(vehicle),
  }))
