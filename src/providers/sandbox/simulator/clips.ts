import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SimulatorResponse } from './response.ts'
import { indexesOf } from './records/ids.ts'
import { createClip } from './records/safety/avi.ts'
import { safetyEventAt } from './records/safety/events.ts'
import type { World } from './records/world.ts'
import { HttpError } from './http-error.ts'
import { vehicleIsSilent } from './world/fleet.ts'
import { HOUR_MS } from './world/durations.ts'
import { hashText } from './world/random.ts'
import { vehicleRouteOf } from './world/vehicle-route.ts'

export const CLIPS_PATH = '/clips/'
const LIFETIME_MS = 8 * HOUR_MS

/** Secret that signs the URLs. It is new in each process, so URLs are invalid after a restart. */
const secret = randomBytes(32)

/**
 * Returns URLs of the clips of a safety event, which are valid for eight hours. Null for a camera that has not
 * uploaded a clip.
 */
export function mediaOf(world: World, eventId: string, origin: string) {
  const [vehicle = -1, leg = -1, eventIndex = -1, ...excess] = indexesOf('evt', world.fleet, eventId) ?? []
  const isKnown = vehicle >= 0 && vehicle < world.fleet.size && leg >= 0 && excess.length === 0
  const route = isKnown && !vehicleIsSilent(vehicle) ? vehicleRouteOf(world.fleet, vehicle) : undefined
  const event = route && safetyEventAt(route, leg, eventIndex, world.nowMs)
  if (!event) throw new HttpError(404, `No safety event ${eventId}`)
  const expiresMs = world.nowMs + LIFETIME_MS
  const clip = (file: { id: string; uploaded: boolean } | null) =>
    file?.uploaded
      ? {
          id: file.id,
          url: origin + signedPath(file.id, expiresMs),
          expiresAt: new Date(expiresMs).toISOString(),
        }
      : null
  return { front: clip(event.cameras.front), rear: clip(event.cameras.rear) }
}

/** Serves a clip to anyone who has its URL, until the URL expires. */
export function clipAt(path: string, query: URLSearchParams, nowMs: number): SimulatorResponse {
  const id = path.slice(CLIPS_PATH.length).replace(/\.avi$/, '')
  const expiresMs = Number(query.get('expires'))
  const actual = Buffer.from(query.get('signature') ?? '', 'hex')
  const expected = signatureOf(id, expiresMs)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected) || nowMs >= expiresMs)
    throw new HttpError(403, 'The signature of this URL is invalid, or the URL has expired')
  return new SimulatorResponse(200, 'video/x-msvideo', createClip(hashText(0, id)))
}

function signedPath(id: string, expiresMs: number): string {
  return `${CLIPS_PATH}${id}.avi?expires=${expiresMs}&signature=${signatureOf(id, expiresMs).toString('hex')}`
}

function signatureOf(id: string, expiresMs: number): Buffer {
  return createHmac('sha256', secret).update(`${id} ${expiresMs}`).digest()
}
