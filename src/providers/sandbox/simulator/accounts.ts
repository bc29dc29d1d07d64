import { HttpError } from './http-error.ts'
import { type Fleet, LARGEST_FLEET } from './world/fleet.ts'
import { hashText } from './world/random.ts'

/** The API key of an `Authorization: Bearer KEY` header; empty when there is none. */
export function keyOf(authorization: string | undefined): string {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
}

/** Any key opens an account, but for none and those that start with `revoked`. */
export function requireValid(key: string): void {
  if (!key) throw new HttpError(401, 'Send your API key as Authorization: Bearer KEY')
  if (key.startsWith('revoked')) throw new HttpError(401, 'This API key was revoked')
}

/** `sandbox-200-7` is a fleet of 200 vehicles of seed 7; any other key has a seed of its own. */
export function fleetOf(key: string, fallback: Fleet): Fleet {
  const [, size, seed] = /^sandbox-(\d{1,6})-(\d{1,9})$/.exec(key) ?? []
  if (Number(size) >= 1 && Number(size) <= LARGEST_FLEET) return { size: Number(size), seed: Number(seed) }
  return { size: fallback.size, seed: hashText(fallback.seed, key) }
}
