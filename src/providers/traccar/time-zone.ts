import { z } from 'zod'
import { datesIn } from '../../domain/calendar.ts'
import { isTimeZone } from '../../domain/time.ts'
import { optionalBoolean } from '../mapping/boolean.ts'
import { validateParts } from '../mapping/readable-parts.ts'
import { optionalText } from '../mapping/text.ts'
import type { ProviderApi } from '../provider-api.ts'
import { summaryDay, type SummaryDay } from './schemas.ts'

const attributes = z.looseObject({ timezone: optionalText }).nullish()
const recordWithTimeZone = z.looseObject({ attributes })
const server = z.looseObject({ attributes, forceSettings: optionalBoolean })

/**
 * Returns the time zone in which an account's days begin: that of the user, else of the server. A server can
 * force its own settings. Null if neither names one: the server then uses the zone of its machine.
 */
export async function timeZoneOf(api: ProviderApi, user: unknown): Promise<string | null> {
  const settings = validateParts(server, await api.get('/server'))
  const zones = [validateParts(recordWithTimeZone, user).attributes?.timezone, settings.attributes?.timezone]
  const zone = (settings.forceSettings ? zones.toReversed() : zones).find((name) => name)
  return zone ? toIanaZone(zone) : null
}

const GMT_OFFSET = /^GMT([+-])(\d{1,2})(?::?(\d{2}))?$/

/** Zones for offsets with minutes, because `Etc/GMT±n` exists only for whole hours. */
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
 * Converts the name of a time zone to an IANA name. The Traccar server is a Java program: it accepts `GMT+5:30`, and
 * treats an unknown name as GMT. An offset with minutes that `PARTIAL_HOURS` lacks becomes UTC.
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

/**
 * Returns a time zone that the rows of a daily summary fit: the assumed zone if they fit it, else the first candidate
 * that was not tried. If they fit none, returns the assumed zone. The days of two zones 24 hours apart begin at the
 * same times, so the rows cannot tell such zones apart.
 */
export function zoneWithDays(
  rows: readonly unknown[],
  assumed: string,
  tried: readonly string[] = [],
): string {
  const days = rows.flatMap((row) => summaryDay.safeParse(row).data ?? [])
  if (fitsDaysOf(assumed, days)) return assumed
  const others = candidates().filter((zone) => zone !== assumed && !tried.includes(zone))
  return others.find((zone) => fitsDaysOf(zone, days)) ?? assumed
}

/**
 * Whether the rows fit the days of a time zone: each row is within one day, and a device has one row per day.
 * A row has the times of its first and last position. The last one may be at the midnight that ends the day. A row
 * with a single position at midnight could belong to the day before or after it, so such rows prove nothing.
 */
function fitsDaysOf(timeZone: string, days: readonly SummaryDay[]): boolean {
  const dateAt = datesIn(timeZone)
  const seen = new Set<string>()
  return days.every(({ deviceId, startTime, endTime }) => {
    if (startTime >= endTime) return true
    const date = dateAt(startTime)
    if (dateAt(endTime - 1) !== date || seen.has(`${deviceId} ${date}`)) return false
    seen.add(`${deviceId} ${date}`)
    return true
  })
}

/** Zones with many vehicles. They are tried first, because several zones may fit the days of a short period. */
const COMMON_ZONES = [
  'UTC',
  'America/Chicago',
  'America/New_York',
  'America/Los_Angeles',
  'America/Denver',
  'America/Mexico_City',
  'America/Sao_Paulo',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Athens',
  'Europe/Moscow',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Asia/Jakarta',
  'Australia/Sydney',
]

const candidates = (): string[] => [...new Set([...COMMON_ZONES, ...Intl.supportedValuesOf('timeZone')])]
