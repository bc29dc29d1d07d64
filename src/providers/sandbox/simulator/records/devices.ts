import { type Fleet, goneCount, vehicleIsSilent } from '../world/fleet.ts'
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

/** A tracker for each vehicle, after them a camera for every third, and then the trackers of vehicles that are gone. */
export const devices: Roster<DeviceRecord> = {
  noun: 'devices',
  count: (fleet) => liveCount(fleet) + goneCount(fleet),
  record: deviceRecord,
  renamed: (device) => ({ ...device, description: `${device.description} (renamed)` }),
}

const liveCount = ({ size }: Fleet) => size + Math.ceil(size / 3)

/** A vehicle has a camera that looks ahead, and every other of them one that looks back. */
export function camerasOf(vehicle: number): { front: boolean; rear: boolean } {
  return { front: vehicle % 3 === 0, rear: vehicle % 6 === 0 }
}

function deviceRecord(world: World, index: number): DeviceRecord {
  const { fleet } = world
  const { camera, vehicle } = placeOf(fleet, index)
  const createdMs = vehicleCreatedMs(fleet, vehicle)
  const removedMs = removedMsOf('devices', fleet, index, liveCount(fleet))
  return {
    id: idOf(camera ? 'cam' : 'trk', fleet, vehicle),
    type: camera ? 'camera' : 'tracker',
    vehicleId: vehicleIdOf(world, vehicle),
    serialNumber: serialNumber(fleet, index, camera),
    description: camera ? cameraKind(vehicle) : 'Vehicle gateway, heavy duty',
    lastConnectedAt: removedMs === null ? lastConnectedAt(world, vehicle) : timestamp(removedMs),
    ...editTimes(createdMs, removedMs, editDice(fleet.seed, index)),
  }
}

/** Which vehicle a device is in, and whether it is its camera. */
function placeOf(fleet: Fleet, index: number): { camera: boolean; vehicle: number } {
  const { size } = fleet
  if (index < size) return { camera: false, vehicle: index }
  if (index < liveCount(fleet)) return { camera: true, vehicle: 3 * (index - size) }
  return { camera: false, vehicle: size + index - liveCount(fleet) }
}

function cameraKind(vehicle: number): string {
  return camerasOf(vehicle).rear ? 'Dual-facing dash camera' : 'Road-facing dash camera'
}

/** A device stays when its vehicle is removed. */
function vehicleIdOf({ fleet, edits }: World, vehicle: number): string | null {
  return edits.removedAt('vehicles', vehicle) === undefined ? idOf('veh', fleet, vehicle) : null
}

function serialNumber({ seed }: Fleet, index: number, camera: boolean): string {
  const text = `${camera ? 'CAM' : 'GTW'}${digits(4, serialDice(seed, index))}`
  return `${text}-${String(index).padStart(6, '0')}`
}

function lastConnectedAt({ fleet, nowMs }: World, vehicle: number): string | null {
  if (vehicleIsSilent(vehicle)) return null
  return timestamp(latestSampleMs(vehicleRouteOf(fleet, vehicle), nowMs))
}
