import type { Vehicle } from '../../world/truth.ts'
import { notFound, type Asked } from '../call.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toTime } from '../wording.ts'
import { asked as askedFor } from './members.ts'
import { GATEWAY_MODEL } from './gateways.ts'
import { tagsOf } from './tags.ts'

/** No status, no state of the plate, no tank; the year is a string. */
export function listVehicles(asked: Asked): object {
  const vehicles = askedFor(asked, asked.organization.vehicles())
  const { items, pagination } = pageOf(asked, vehicles, ({ number }) => [number])
  return { data: items.map((vehicle) => toVehicle(asked, vehicle)), pagination }
}

/** The only vehicle that is told without times. */
export function getVehicle(asked: Asked): object {
  const vehicle = asked.organization.vehicle(numberOf('vehicle', asked.id))
  if (!vehicle) throw notFound()
  const { createdAtTime: _, updatedAtTime: __, ...untimed } = toVehicle(asked, vehicle)
  return { data: untimed }
}

const toVehicle = ({ organization, switches }: Asked, vehicle: Vehicle) => ({
  id: id('vehicle', vehicle.number),
  name: vehicle.name,
  vin: vehicle.vin,
  make: vehicle.make,
  model: vehicle.model,
  year: String(vehicle.year),
  licensePlate: vehicle.plate,
  serial: vehicle.deviceSerial,
  gateway: { serial: vehicle.deviceSerial, model: GATEWAY_MODEL },
  vehicleRegulationMode: 'regulated',
  vehicleType: 'truck',
  harshAccelerationSettingType: 'automatic',
  notes: '',
  externalIds: { 'samsara.serial': vehicle.deviceSerial, 'samsara.vin': vehicle.vin },
  tags: tagsOf(organization, vehicle.groups),
  createdAtTime: toTime(vehicle.createdAt, switches),
  updatedAtTime: toTime(vehicle.updatedAt, switches),
})
