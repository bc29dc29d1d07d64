import { z } from 'zod'
import { isTimeZone } from '../../domain/time.ts'
import { validate } from '../mapping/validate.ts'
import type { ProviderApi } from '../provider-api.ts'

const attributes = z.looseObject({ timezone: z.string().nullish() }).nullish()
const withTimeZone = z.looseObject({ attributes })
const server = z.looseObject({ attributes, forceSettings: z.boolean().nullish() })

/**
 * Returns the time zone in which an account's days begin: that of the user, else of the server. A server can force its own
 * settings. Null if neither names one: the server then uses the zone of its machine.
 */
export async function timeZoneOf(api: ProviderApi, user: unknown): Promise<string | null> {
  const settings = validate(server, await api.get('/server'))
  const zones = [validate(withTimeZone, user).attributes?.timezone, settings.attributes?.timezone]
  const zone = (settings.forceSettings ? zones.toReversed() : zones).find((one) => one)
  return zone ? toIanaZone(zone) : null
}

const GMT_OFFSET = /^GMT([+-])(\d{1,2})(?::?(\d{2}))?$/

/** Zones whose offset is constant and not a whole number of hours. */
const PARTIAL_HOURS: Readonly<Record<string, string>> = {
  '-9:30': 'Pacific/Marquesas',
  '+3:30': 'Asia/Tehran',
  '+4:30': 'Asia/Kabul',
  '+5:30': 'Asia/Kolkata',
  '+5:45': 'Asia/Kathmandu',
  '+6:30': 'Asia/Yangon',
  '+8:45': 'Australia/Eucla',
  '+9:30': 'Australia/Darwin',
}

/**
 * Converts the name of a time zone to that of IANA. The Traccar server is a Java program: it accepts `GMT+5:30`, and treats
 * an unknown name as GMT.
 */
function toIanaZone(name: string): string {
  const [, sign, hours, minutes = '00'] = GMT_OFFSET.exec(name) ?? []
  if (sign === undefined) return isTimeZone(name) ? name : 'UTC'
  // Names of the form `Etc/GMT±n` have the inverse sign.
  const ianaName =
    minutes === '00'
      ? `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`
      : PARTIAL_HOURS[`${sign}${Number(hours)}:${minutes}`]
  return ianaName !== undefined && isTimeZone(ianaName) ? ianaName : 'UTC'
}
