import type { Operation } from './catalogue.ts'
import { isJsonObject, type JsonObject, type Subject, some, textAt, withQuery } from './subject.ts'

/** ULID of well-formed ids that no record has. */
export const UNKNOWN_ULID = '01J8ZQ4N5R8X2V6T3W1Y7K9M0P'

const prefixes = {
  vehicle: 'vcl',
  driver: 'drv',
  safetyEvent: 'sft_evt',
  sync: 'sync',
  issue: 'isu',
  connection: 'conn',
} as const

type Owner = keyof typeof prefixes

export const unknownId = (kind: Owner): string => `${prefixes[kind]}_${UNKNOWN_ULID}`

/** Lists that contain the ids for paths, by kind. */
const sources: Readonly<Record<Owner, string>> = {
  vehicle: '/vehicles/locations',
  driver: '/drivers',
  safetyEvent: '/safety/events',
  sync: '/syncs',
  issue: '/issues',
  connection: '/connections',
}

const ownerIn = (path: string): Owner | undefined => /\{(\w+)\}/.exec(path)?.[1] as Owner | undefined

/** Returns the path of an operation with the id of an existing record and its required parameters. */
export async function pathOf(subject: Subject, { path, always = {} }: Operation): Promise<string> {
  const owner = ownerIn(path)
  const whole = owner ? path.replace(`{${owner}}`, await knownId(subject, owner)) : path
  return withQuery(whole, always)
}

/** Returns the path with an unknown id; null if the path has no id. */
export function unknownPathOf({ path }: Operation): string | null {
  const owner = ownerIn(path)
  return owner ? path.replace(`{${owner}}`, unknownId(owner)) : null
}

export async function knownId(subject: Subject, kind: Owner): Promise<string> {
  if (kind === 'vehicle') return busiest(subject)
  const rows = await subject.all(sources[kind])
  if (kind === 'safetyEvent') return textAt(mediaFirst(rows), 'id')
  return textAt(some(rows, kind)[0], 'id')
}

const known = new WeakMap<object, Promise<string>>()

/** Returns the id of the vehicle with the most locations in a sample, so that its list has several pages. */
function busiest(subject: Subject): Promise<string> {
  const found = known.get(subject) ?? findBusiest(subject)
  known.set(subject, found)
  return found
}

const LOOKED_AT = 8

async function findBusiest(subject: Subject): Promise<string> {
  const rows = some(await subject.all(sources.vehicle), 'vehicle')
  const lengths = await Promise.all(
    rows.slice(0, LOOKED_AT).map(async (row): Promise<[number, string]> => {
      const id = textAt(row, 'vehicle')
      const { body } = await subject.get(`/vehicles/${id}/locations?limit=2000`)
      const { results = [] } = isJsonObject(body) ? (body as { results?: unknown[] }) : {}
      return [results.length, id]
    }),
  )
  return lengths.toSorted(([one], [other]) => other - one)[0]?.[1] ?? ''
}

/** Returns the event with the most camera media, of those with a driver. */
function mediaFirst(rows: readonly JsonObject[]): JsonObject {
  const available = ({ cameraMedia }: JsonObject) => JSON.stringify(cameraMedia ?? '').split('true').length
  const [first] = some(rows, 'safety event')
  const withDriver = rows.filter((row) => 'driver' in row)
  return withDriver.toSorted((one, other) => available(other) - available(one))[0] ?? first
}
