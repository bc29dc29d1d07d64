import type { Asked } from '../call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toTime } from '../wording.ts'

export const GATEWAY_MODEL = 'VG54NA'

/** A list without `limit`, of what is built into vehicles. */
export function listGateways(asked: Asked): object {
  const { organization, switches } = asked
  const vehicles = organization.vehicles()
  const { items, pagination } = pageOf(asked, vehicles, ({ number }) => [number], Number(switches.pageSize))
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
