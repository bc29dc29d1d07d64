import { MINUTE_MS } from '../../world/durations.ts'
import type { Fleet } from '../../world/fleet.ts'
import { between, dice } from '../../world/random.ts'
import { camerasOf } from '../devices.ts'
import { idOf } from '../ids.ts'

/** What the cameras of a vehicle filmed of an event; null where there is none that looks this way. */
export interface Cameras {
  front: CameraFile | null
  rear: CameraFile | null
}

interface CameraFile {
  id: string
  /** Whether the clip can be had by now: a camera uploads it when it has coverage. */
  uploaded: boolean
}

interface Place {
  readonly leg: number
  readonly i: number
  readonly timeMs: number
  readonly nowMs: number
}

const uploadDice = dice('upload of a clip')

export function camerasAt(fleet: Fleet, vehicle: number, { leg, i, timeMs, nowMs }: Place) {
  const minutes = between(5, 90, uploadDice(fleet.seed, vehicle, 4 * leg + i))
  const uploadMs = timeMs + Math.floor(minutes * MINUTE_MS)
  const { front, rear } = camerasOf(vehicle)
  const uploaded = nowMs >= uploadMs
  const file = (side: 0 | 1): CameraFile => ({ id: idOf('clip', fleet, vehicle, leg, i, side), uploaded })
  const cameras: Cameras = { front: front ? file(0) : null, rear: rear ? file(1) : null }
  return { cameras, uploadedMs: front && uploaded ? uploadMs : null }
}
