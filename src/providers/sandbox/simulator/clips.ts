import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SimulatorResponse } from './response.ts'
import { indexesOf } from './records/ids.ts'
import { film } from './records/safety/avi.ts'
import { safetyEventAt } from './records/safety/events.ts'
import type { World } from './records/world.ts'
import { HttpError } from './http-error.ts'
import { vehicleIsSilent } from './world/fleet.ts'
import { HOUR_MS } from './world/durations.ts'
import { hashText } from './world/random.ts'
import { vehicleRouteOf } from './world/vehicle-route.ts'

export const CLIPS_PATH = '/clips/'
const LIFETIME_MS = 8 * HOUR_MS

/** Addresses are signed with a secret of this process: they end with it. */
const secret = randomBytes(32)

/** Where the clips of a safety event can be had, for some hours; null for a camera that has uploaded none. */
export function mediaOf(world: World, eventId: string, origin: string) {
  const [vehicle = -1, leg = -1, i = -1, ...rest] = indexesOf('evt', world.fleet, eventId) ?? []
  const known = vehicle >= 0 && vehicle < world.fleet.size && leg >= 0 && rest.length === 0
  const track = known && !vehicleIsSilent(vehicle) ? vehicleRouteOf(world.fleet, vehicle) : undefined
  const event = track && safetyEventAt(track, leg, i, world.nowMs)
  if (!event) throw new HttpError(404, `There is no safety event ${eventId}`)
  const expiresMs = world.nowMs + LIFETIME_MS
  const clip = (file: { id: string; uploaded: boolean } | null) =>
    file?.uploaded ? { id: file.id, url: origin + signedPath(file.id, expiresMs), ...until(expiresMs) } : null
  return { front: clip(event.cameras.front), rear: clip(event.cameras.rear) }
}

const until = (expiresMs: number) => ({ expiresAt: new Date(expiresMs).toISOString() })

/** Serves a clip to whoever has its address, as long as that lasts. */
export function clipAt(path: string, query: URLSearchParams, nowMs: number): SimulatorResponse {
  const id = path.slice(CLIPS_PATH.length).replace(/\.avi$/, '')
  const expiresMs = Number(query.get('expires'))
  const given = Buffer.from(query.get('signature') ?? '', 'hex')
  const right = signatureOf(id, expiresMs)
  if (given.length !== right.length || !timingSafeEqual(given, right) || nowMs >= expiresMs)
    throw new HttpError(403, 'This address was not signed by us, or it has expired')
  return new SimulatorResponse(200, 'video/x-msvideo', film(hashText(0, id)))
}

function signedPath(id: string, expiresMs: number): string {
  return `${CLIPS_PATH}${id}.avi?expires=${expiresMs}&signature=${signatureOf(id, expiresMs).toString('hex')}`
}

function signatureOf(id: string, expiresMs: number): Buffer {
  return createHmac('sha256', secret).update(`${id} ${expiresMs}`).digest()
}
