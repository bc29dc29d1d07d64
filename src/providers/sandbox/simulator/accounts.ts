import { HttpError } from './http-error.ts'
import { type Fleet, MAX_FLEET_SIZE } from './world/fleet.ts'
import { hashText } from './world/random.ts'

/** Returns the API key of an `Authorization: Bearer KEY` header; empty without one. */
export function keyOf(authorization: string | undefined): string {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
}

/** Throws for an empty key, and for keys that start with `revoked`. Every other key is valid. */
export function requireValidKey(key: string): void {
  if (!key) throw new HttpError(401, 'Send your API key as Authorization: Bearer KEY')
  if (key.startsWith('revoked')) throw new HttpError(401, 'This API key was revoked')
}

/**
 * Returns the fleet of a key. `sandbox-200-7` has 200 vehicles and the seed 7. Any other key has a fleet of the
 * default size, with a seed from the hash of the key.
 */
export function fleetOf(key: string, defaultFleet: Fleet): Fleet {
  const [, size, seed] = /^sandbox-(\d{1,6})-(\d{1,9})$/.exec(key) ?? []
  if (Number(size) >= 1 && Number(size) <= MAX_FLEET_SIZE) return { size: Number(size), seed: Number(seed) }
  return { size: defaultFleet.size, seed: hashText(defaultFleet.seed, key) }
}
