import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { toTime } from '../formats.ts'

export const GATEWAY_MODEL = 'VG54NA'

/** A list without `limit`: the gateways of the vehicles. */
export function listGateways(request: FakeRequest): object {
  const { organization, switches } = request
  const vehicles = organization.vehicles()
  const { items, pagination } = pageOf(request, vehicles, ({ number }) => [number], Number(switches.pageSize))
  const data = items.map((vehicle) => {
    const lastFix = organization.world.lastFix(vehicle.number)
    return {
      serial: vehicle.deviceSerial,
      model: GATEWAY_MODEL,
      asset: { id: id('vehicle', vehicle.number) },
      ...(lastFix && {
        connectionStatus: {
          healthStatus: 'Connected',
          lastConnected: toTime(lastFix.arrivedAt, switches),
        },
      }),
    }
  })
  return { data, pagination }
}
