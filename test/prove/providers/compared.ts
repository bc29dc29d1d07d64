import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../support/providers/read-back/read-back-names.ts'
import { askingOf } from './asked-records.ts'

/** What is held against each other. */
export interface Sides {
  readonly model: string
  readonly told: readonly Values[]
  readonly truth: readonly Values[]
  /** What is of nobody who is there is not compared. */
  isShown(draft: Values): boolean
  /** Of vehicles and drivers that are gone some records still tell. */
  readonly isThere: Readonly<Record<'vehicle' | 'driver', (sourceId: unknown) => boolean>>
  /** What was last known of who tells nothing more is no mistake. */
  readonly mayTellMore: boolean
}

/** What is not as it is true, one line each. */
export function differences({ model, told, truth, isShown, isThere, mayTellMore }: Sides): string[] {
  const { tells } = askingOf(model)
  const worded = (draft: Values): Values =>
    Object.fromEntries(tells.map((name) => [name, wordOf(name, draft[name] ?? null, isThere)]))
  const [ours, theirs] = [told, truth].map((drafts) => keyed(drafts.filter(isShown).map(worded))) as [
    Map<string, Values>,
    Map<string, Values>,
  ]
  const lines: string[] = []
  for (const [key, true_] of theirs) {
    const one = ours.get(key)
    if (!one) lines.push(`${model} ${key} is missing: ${JSON.stringify(true_)}`)
    else
      for (const name of tells)
        if (!isPolled(model, name, true_)) lines.push(...unlike(`${model} ${key}: ${name}`, name, one, true_))
  }
  for (const [key, one] of ours)
    if (!mayTellMore && !theirs.has(key)) lines.push(`${model} ${key} is not true: ${JSON.stringify(one)}`)
  return lines
}

/** Where a series tells less of a place than who asks where a vehicle is now, it is known from asking. */
const isPolled = (model: string, name: string, { [name]: told }: Values): boolean =>
  model === 'VehicleLocation' && told === null && /^(driverSourceId|headingDegrees)$/.test(name)

function wordOf(name: string, value: unknown, { vehicle, driver }: Sides['isThere']): unknown {
  if (name === 'vehicleSourceId') return vehicle(value) ? value : null
  if (name === 'driverSourceId') return driver(value) ? value : null
  if (name === 'codriverSourceIds') return (value as unknown[]).filter(driver)
  return name === 'groupSourceIds' ? (value as unknown[]).toSorted() : value
}

function unlike(what: string, name: string, { [name]: one }: Values, { [name]: other }: Values): string[] {
  return isClose(name, one, other) ? [] : [`${what} is ${JSON.stringify(one)}, not ${JSON.stringify(other)}`]
}

/** To how many decimals an answer tells a measure. */
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

/** By what a record is known by; where it has no id, by whose it is. */
function keyed(drafts: readonly Values[]): Map<string, Values> {
  return new Map(drafts.map((draft) => [keyOf(draft), draft]))
}

const keyOf = (draft: Values): string => {
  const key = KEYS.flatMap((name) => (draft[name] == null ? [] : [String(draft[name])])).join(' ')
  return key === '' ? String(draft['driverSourceId']) : key
}

/** When what a draft tells of began; a roster has not begun. */
export function begunAt({ startedAt, observedAt, locatedAt, timestamp, date }: Values): number | null {
  const begun = startedAt ?? observedAt ?? locatedAt ?? timestamp ?? date
  return begun == null ? null : Number(typeof begun === 'string' ? Date.parse(begun) : begun)
}
