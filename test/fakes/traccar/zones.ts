import type { World } from '../world/truth.ts'
import type { TraccarSwitches } from './wire.ts'

/** Returns the configured zone and the zone that the server uses: Java treats an unknown one as GMT. */
export function zoneOf({ account }: World, switches: TraccarSwitches): { name: string; days: string } {
  if (switches.is('timeZones', 'offsets')) return { name: 'GMT-6', days: 'Etc/GMT+6' }
  if (switches.is('timeZones', 'unknown')) return { name: 'CEST', days: 'UTC' }
  return { name: account.timeZone, days: account.timeZone }
}
