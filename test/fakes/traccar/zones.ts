import type { World } from '../world/truth.ts'
import type { TraccarSwitches } from './wire.ts'

interface Zones {
  /** Zone in the settings of the user. */
  readonly user?: string
  /** Zone in the settings of the server. */
  readonly server?: string
  readonly forceSettings?: boolean
  /** Zone of the days of reports. */
  readonly days: string
}

/** Returns the configured zones, and the one that the server uses. */
export function zonesOf({ account: { timeZone } }: World, switches: TraccarSwitches): Zones {
  const positions: Readonly<Record<string, Zones>> = {
    offsets: { user: 'GMT-6', days: 'Etc/GMT+6' },
    half_hours: { user: 'GMT+5:30', days: 'Asia/Kolkata' },
    unknown: { user: 'CEST', days: 'UTC' },
    of_server: { server: 'Asia/Tokyo', days: 'Asia/Tokyo' },
    of_machine: { days: 'Europe/Berlin' },
    wrong: { user: 'America/Chicago', days: 'Asia/Kolkata' },
    forced: { user: timeZone, server: 'Asia/Tokyo', forceSettings: true, days: 'Asia/Tokyo' },
  }
  const name = Object.keys(positions).find((one) => switches.is('timeZones', one as 'offsets'))
  return (name !== undefined && positions[name]) || { user: timeZone, server: 'Asia/Tokyo', days: timeZone }
}
