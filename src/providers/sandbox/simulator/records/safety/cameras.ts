import { MINUTE_MS } from '../../world/durations.ts'
import type { Fleet } from '../../world/fleet.ts'
import { between, dice } from '../../world/random.ts'
import { camerasOf } from '../devices.ts'
import { idOf } from '../ids.ts'

/** Camera files of an event; null for a direction without a camera. */
export interface Cameras {
  front: CameraFile | null
  rear: CameraFile | null
}

interface CameraFile {
  id: string
  /** Whether the clip is available. A camera uploads it later, when it has coverage. */
  uploaded: boolean
}

interface EventTime {
  readonly leg: number
  readonly i: number
  readonly timeMs: number
  readonly nowMs: number
}

const uploadDice = dice('upload of a clip')

export function camerasAt(fleet: Fleet, vehicle: number, { leg, i, timeMs, nowMs }: EventTime) {
  const minutes = between(5, 90, uploadDice(fleet.seed, vehicle, 4 * leg + i))
  const uploadMs = timeMs + Math.floor(minutes * MINUTE_MS)
  const { front, rear } = camerasOf(vehicle)
  const uploaded = nowMs >= uploadMs
  const file = (side: 0 | 1): CameraFile => ({ id: idOf('clip', fleet, vehicle, leg, i, side), uploaded })
  const cameras: Cameras = { front: front ? file(0) : null, rear: rear ? file(1) : null }
  return { cameras, uploadedMs: front && uploaded ? uploadMs : null }
}
