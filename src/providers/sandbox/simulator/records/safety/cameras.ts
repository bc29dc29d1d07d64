import { MINUTE_MS } from '../../world/durations.ts'
import type { Fleet } from '../../world/fleet.ts'
import { between, dice } from '../../world/random.ts'
import { camerasOf } from '../devices.ts'
import { idOf } from '../ids.ts'

/** Camera clips of an event; null for a direction in which no camera faces. */
export interface Cameras {
  front: CameraFile | null
  rear: CameraFile | null
}

interface CameraFile {
  id: string
  /** Whether the camera has uploaded the clip. It does so some time after the event, when it has coverage. */
  uploaded: boolean
}

interface EventTime {
  readonly leg: number
  /** Index of the event in its leg. */
  readonly index: number
  readonly timeMs: number
  readonly nowMs: number
}

const uploadDice = dice('upload of a clip')

/** Returns the cameras of an event at `nowMs`, and the time of their upload; null before the upload. */
export function camerasAt(fleet: Fleet, vehicle: number, { leg, index, timeMs, nowMs }: EventTime) {
  const minutes = between(5, 90, uploadDice(fleet.seed, vehicle, 4 * leg + index))
  const uploadMs = timeMs + Math.floor(minutes * MINUTE_MS)
  const { front, rear } = camerasOf(vehicle)
  const uploaded = nowMs >= uploadMs
  const file = (side: 0 | 1): CameraFile => ({ id: idOf('clip', fleet, vehicle, leg, index, side), uploaded })
  const cameras: Cameras = { front: front ? file(0) : null, rear: rear ? file(1) : null }
  return { cameras, uploadedMs: front && uploaded ? uploadMs : null }
}
