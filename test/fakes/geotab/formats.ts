import { createHash } from 'node:crypto'
import type { Ms } from '../world/truth.ts'

/** Formats of MyGeotab: times, timespans, ids and versions. */

export type Entity = Readonly<Record<string, unknown>>

/** `activeTo` of a member without an end. */
export const FOREVER = '2050-01-01T00:00:00.000Z'

export const dateTime = (at: Ms): string => new Date(at).toISOString()

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A .NET timespan: `[-][d.]hh:mm:ss[.fffffff]`. */
export function timespan(milliseconds: number): string {
  const length = Math.abs(Math.round(milliseconds))
  const seconds = Math.floor(length / 1000)
  const days = Math.floor(seconds / 86_400)
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
    .map(twoDigits)
    .join(':')
  const rest = length % 1000
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0')}0000`
  return `${milliseconds < 0 ? '-' : ''}${days === 0 ? '' : `${days}.`}${clock}${fraction}`
}

/** Ids are unique only within their type: a device and a driver can have the same id. */
export const shortId = (number: number): string => `b${number.toString(16).toUpperCase()}`

export const deviceId = shortId
export const userId = shortId
export const groupId = (number: number): string => shortId(0x27_00 + number)
export const COMPANY_GROUP = 'GroupCompanyId'

/** Returns a long id: a GUID in base 64. */
export function longId(...parts: readonly (string | number)[]): string {
  return `a${createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 22)}`
}

export const guid = (...parts: readonly (string | number)[]): string => {
  const hex = createHash('sha256').update(parts.join(' ')).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

export const trailerId = (number: number): string => longId('trailer', number)

/** Returns a version as 16 hexadecimal digits, which callers must treat as opaque. */
export const versionText = (version: number): string => version.toString(16).padStart(16, '0')

export const idOfVersion = shortId

export const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals))

export const kilometers = (meters: number): number => meters / 1000
export const kilometersPerHour = (metersPerSecond: number): number => rounded(metersPerSecond * 3.6, 2)
export const degrees = (value: number): number => rounded(value, 7)
