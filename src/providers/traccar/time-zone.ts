import { isTimeZone } from '../../domain/time.ts'

const GMT_OFFSET = /^GMT([+-])0?(\d{1,2})(?::?00)?$/

/**
 * Returns the time zone that a server uses for a name that a user entered. Java treats an unknown name as
 * GMT.
 */
export function zoneOf(name: string): string {
  const [, sign, hours] = GMT_OFFSET.exec(name) ?? []
  // Names of the form `Etc/GMT±n` have the inverse sign.
  const ianaName = sign === undefined ? name : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`
  return isTimeZone(ianaName) ? ianaName : 'UTC'
}
