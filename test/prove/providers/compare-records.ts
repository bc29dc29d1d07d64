import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../support/providers/read-back/read-back-names.ts'
import { queryOf } from './api-records.ts'

/** Input of a comparison. */
export interface Sides {
  readonly model: string
  readonly reported: readonly Values[]
  readonly truth: readonly Values[]
  /** Whether a record is compared: records without an existing owner are not. */
  isShown(normalized: Values): boolean
  /** Whether a vehicle or driver exists: some records still refer to deleted ones. */
  readonly isThere: Readonly<Record<'vehicle' | 'driver', (sourceId: unknown) => boolean>>
  /** Whether extra records are allowed: the last known value stays after a provider stops to report it. */
  readonly mayTellMore: boolean
}

/** Returns the differences from the truth, one line each. */
export function differences({ model, reported, truth, isShown, isThere, mayTellMore }: Sides): string[] {
  const { members } = queryOf(model)
  const toNormalizedMember = (normalized: Values): Values =>
    Object.fromEntries(members.map((name) => [name, wordOf(name, normalized[name] ?? null, isThere)]))
  const [ours, theirs] = [reported, truth].map((records) =>
    keyed(records.filter(isShown).map(toNormalizedMember)),
  ) as [Map<string, Values>, Map<string, Values>]
  const lines: string[] = []
  for (const [key, true_] of theirs) {
    const one = ours.get(key)
    if (!one) lines.push(`${model} ${key} is missing: ${JSON.stringify(true_)}`)
    else
      for (const name of members)
        if (!isPolled(model, name, true_)) lines.push(...unlike(`${model} ${key}: ${name}`, name, one, true_))
  }
  for (const [key, one] of ours)
    if (!mayTellMore && !theirs.has(key)) lines.push(`${model} ${key} is not true: ${JSON.stringify(one)}`)
  return lines
}

/** Whether a value comes from polling: a series may have fewer location members than the current location. */
const isPolled = (model: string, name: string, { [name]: reported }: Values): boolean =>
  model === 'VehicleLocation' && reported === null && /^(driverSourceId|headingDegrees)$/.test(name)

function wordOf(name: string, value: unknown, { vehicle, driver }: Sides['isThere']): unknown {
  if (name === 'vehicleSourceId') return vehicle(value) ? value : null
  if (name === 'driverSourceId') return driver(value) ? value : null
  if (name === 'codriverSourceIds') return (value as unknown[]).filter(driver)
  return name === 'groupSourceIds' ? (value as unknown[]).toSorted() : value
}

function unlike(what: string, name: string, { [name]: one }: Values, { [name]: other }: Values): string[] {
  return isClose(name, one, other) ? [] : [`${what} is ${JSON.stringify(one)}, not ${JSON.stringify(other)}`]
}

/** Number of decimals of each measure in a response. */
const decimals: readonly (readonly [RegExp, number])[] = [
  [/(Kph|Percentage|^value)$/, 2],
  [/(Kilometers|Liters)$/, 3],
]

function isClose(name: string, one: unknown, other: unknown): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return isDeepStrictEqual(one, other)
  const digits = decimals.find(([names]) => names.test(name))?.[1]
  return digits === undefined ? one === other : Math.abs(one - other) <= 0.501 * 10 ** -digits
}

const KEYS = [
  'vehicleSourceId',
  'trailerSourceId',
  'sourceId',
  'type',
  'locatedAt',
  'timestamp',
  'date',
  'month',
  'jurisdiction',
]

/** Returns the records by key: their id, or without one their owner. */
function keyed(records: readonly Values[]): Map<string, Values> {
  return new Map(records.map((normalized) => [keyOf(normalized), normalized]))
}

const keyOf = (normalized: Values): string => {
  const key = KEYS.flatMap((name) => (normalized[name] == null ? [] : [String(normalized[name])])).join(' ')
  return key === '' ? String(normalized['driverSourceId']) : key
}

/** Returns the start time of a record; roster records have none. */
export function begunAt({ startedAt, observedAt, locatedAt, timestamp, date }: Values): number | null {
  const begun = startedAt ?? observedAt ?? locatedAt ?? timestamp ?? date
  return begun == null ? null : Number(typeof begun === 'string' ? Date.parse(begun) : begun)
}
