import { type Fleet, removedCount, vehicleIsSilent } from '../world/fleet.ts'
import { dice, digits } from '../world/random.ts'
import { vehicleRouteOf } from '../world/vehicle-route.ts'
import { idOf, timestamp } from './ids.ts'
import { latestSampleMs } from './locations.ts'
import { editTimes, removedMsOf, type Roster } from './roster.ts'
import { vehicleCreatedMs } from './vehicles.ts'
import type { World } from './world.ts'

export interface DeviceRecord {
  id: string
  type: 'tracker' | 'camera'
  vehicleId: string | null
  serialNumber: string
  description: string
  lastConnectedAt: string | null
  removedAt: string | null
  createdAt: string
  updatedAt: string
}

const serialDice = dice('serial number of a device')
const editDice = dice('last edit of a device')

/**
 * Devices in order: a tracker per vehicle, a camera in every third vehicle, and the trackers of removed
 * vehicles.
 */
export const devices: Roster<DeviceRecord> = {
  resource: 'devices',
  count: (fleet) => currentCount(fleet) + removedCount(fleet),
  record: deviceRecord,
  renamed: (device) => ({ ...device, description: `${device.description} (renamed)` }),
}

const currentCount = ({ size }: Fleet) => size + Math.ceil(size / 3)

/** Returns the camera directions of a vehicle: front for every third vehicle, also rear for every sixth. */
export function camerasOf(vehicle: number): { front: boolean; rear: boolean } {
  return { front: vehicle % 3 === 0, rear: vehicle % 6 === 0 }
}

function deviceRecord(world: World, index: number): DeviceRecord {
  const { fleet } = world
  const { isCamera, vehicle } = assignmentOf(fleet, index)
  const createdMs = vehicleCreatedMs(fleet, vehicle)
  const removedMs = removedMsOf('devices', fleet, index, currentCount(fleet))
  return {
    id: idOf(isCamera ? 'cam' : 'trk', fleet, vehicle),
    type: isCamera ? 'camera' : 'tracker',
    vehicleId: vehicleIdOf(world, vehicle),
    serialNumber: serialNumber(fleet, index, isCamera),
    description: isCamera ? cameraKind(vehicle) : 'Vehicle gateway, heavy duty',
    lastConnectedAt: removedMs === null ? lastConnectedAt(world, vehicle) : timestamp(removedMs),
    ...editTimes(createdMs, removedMs, editDice(fleet.seed, index)),
  }
}

/** Returns the vehicle of a device, and whether the device is its camera rather than its tracker. */
function assignmentOf(fleet: Fleet, index: number): { isCamera: boolean; vehicle: number } {
  const { size } = fleet
  if (index < size) return { isCamera: false, vehicle: index }
  if (index < currentCount(fleet)) return { isCamera: true, vehicle: 3 * (index - size) }
  return { isCamera: false, vehicle: size + index - currentCount(fleet) }
}

function cameraKind(vehicle: number): string {
  return camerasOf(vehicle).rear ? 'Dual-facing dash camera' : 'Road-facing dash camera'
}

/** Returns the id of a device's vehicle; null after the test controls removed the vehicle, but not the device. */
function vehicleIdOf({ fleet, edits }: World, vehicle: number): string | null {
  return edits.removedAt('vehicles', vehicle) === undefined ? idOf('veh', fleet, vehicle) : null
}

function serialNumber({ seed }: Fleet, index: number, isCamera: boolean): string {
  const text = `${isCamera ? 'CAM' : 'GTW'}${digits(4, serialDice(seed, index))}`
  return `${text}-${String(index).padStart(6, '0')}`
}

function lastConnectedAt({ fleet, nowMs }: World, vehicle: number): string | null {
  if (vehicleIsSilent(vehicle)) return null
  return timestamp(latestSampleMs(vehicleRouteOf(fleet, vehicle), nowMs))
}
