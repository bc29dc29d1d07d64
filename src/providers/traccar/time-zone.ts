import { isTimeZone } from '../../domain/time.ts'

const OF_HOURS = /^GMT([+-])0?(\d{1,2})(?::?00)?$/

/** The zone that a server makes days of by a name that somebody entered: what Java does not know is GMT to it. */
export function zoneOf(name: string): string {
  const [, sign, hours] = OF_HOURS.exec(name) ?? []
  // By these names what is ahead of GMT has a minus.
  const known = sign === undefined ? name : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`
  return isTimeZone(known) ? known : 'UTC'
}
