import type { FakeRequest } from '../fake-request.ts'
import { pageOf } from '../pages.ts'
import { toEldSummary, toVehicleSummary } from './people.ts'

/** `/v1/eld_devices`: the device of each vehicle. */
export const listEldDevices = (request: FakeRequest): object =>
  pageOf(request, { list: 'eld_devices', item: 'eld_device' }, request.vehicles(), (vehicle) => ({
    vehicle: toVehicleSummary(request, vehicle),
    ...toEldSummary(vehicle),
  }))
