import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { toTime } from '../formats.ts'

export const GATEWAY_MODEL = 'VG54NA'

/** `/gateways`: the Vehicle Gateways, which are Samsara's trackers. The list ignores `limit`. */
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
