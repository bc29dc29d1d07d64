import type { World } from '../world/truth.ts'
import type { TraccarSwitches } from './wire.ts'

/** What an administrator entered, and whose days the server makes of it: Java reads what it does not know as GMT. */
export function zoneOf({ account }: World, switches: TraccarSwitches): { name: string; days: string } {
  if (switches.is('timeZones', 'offsets')) return { name: 'GMT-6', days: 'Etc/GMT+6' }
  if (switches.is('timeZones', 'unknown')) return { name: 'CEST', days: 'UTC' }
  return { name: account.timeZone, days: account.timeZone }
}
