import type { Vehicle } from '../../world/truth.ts'
import { notFound, type FakeRequest } from '../http/call.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { toTime } from '../formats.ts'
import { selectedMembers } from './members.ts'
import { GATEWAY_MODEL } from './gateways.ts'
import { tagsOf } from './tags.ts'

/** Vehicles have no status, no plate state and no tank; the year is a string. */
export function listVehicles(request: FakeRequest): object {
  const vehicles = selectedMembers(request, request.organization.vehicles())
  const { items, pagination } = pageOf(request, vehicles, ({ number }) => [number])
  return { data: items.map((vehicle) => toVehicle(request, vehicle)), pagination }
}

/** A single vehicle; its response has no times. */
export function getVehicle(request: FakeRequest): object {
  const vehicle = request.organization.vehicle(numberOf('vehicle', request.id))
  if (!vehicle) throw notFound()
  const { createdAtTime: _, updatedAtTime: __, ...untimed } = toVehicle(request, vehicle)
  return { data: untimed }
}

const toVehicle = ({ organization, switches }: FakeRequest, vehicle: Vehicle) => ({
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
