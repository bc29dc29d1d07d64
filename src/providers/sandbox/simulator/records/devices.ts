import { type Fleet, vehicleIsSilent, WORLD_START_MS } from '../world/fleet.ts'
import { between, dice, digits } from '../world/random.ts'
import { trackOf } from '../world/track.ts'
import { idOf, timestamp } from './ids.ts'
import { latestSampleMs } from './locations.ts'
import type { Roster } from './roster.ts'
import { vehicleCreatedMs } from './vehicles.ts'
import type { World } from './world.ts'

export interface DeviceRecord {
  id: string
  type: 'tracker' | 'camera'
  vehicleId: string | null
  serialNumber: string
  description: string
  lastConnectedAt: string | null
  createdAt: string
  updatedAt: string
}

const serialDice = dice('serial number of a device')
const editDice = dice('last edit of a device')

/** A tracker for each vehicle, and after them a camera for every third. */
export const devices: Roster<DeviceRecord> = {
  noun: 'devices',
  count: ({ size }) => size + Math.ceil(size / 3),
  record: deviceRecord,
  renamed: (device) => ({ ...device, description: `${device.description} (renamed)` }),
}

function deviceRecord(world: World, index: number): DeviceRecord {
  const { fleet } = world
  const camera = index >= fleet.size
  const vehicle = camera ? 3 * (index - fleet.size) : index
  const createdMs = vehicleCreatedMs(fleet, vehicle)
  return {
    id: idOf(camera ? 'cam' : 'trk', fleet, vehicle),
    type: camera ? 'camera' : 'tracker',
    vehicleId: vehicleIdOf(world, vehicle),
    serialNumber: serialNumber(fleet, index, camera),
    description: camera ? 'Dual-facing dash camera' : 'Vehicle gateway, heavy duty',
    lastConnectedAt: lastConnectedAt(world, vehicle),
    createdAt: timestamp(createdMs),
    updatedAt: timestamp(between(createdMs, WORLD_START_MS, editDice(fleet.seed, index))),
  }
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
  return timestamp(latestSampleMs(trackOf(fleet, vehicle), nowMs))
}
