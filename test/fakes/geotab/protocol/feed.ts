import { FIRST_VERSION } from '../ledger/entity-store.ts'
import { versionText, type Entity } from '../formats.ts'
import type { Database } from './database.ts'
import { kindOf, limitIn } from './get.ts'
import { Refusal } from './refusal.ts'
import { isFound, readSearch } from './search.ts'

const VERSION = /^[0-9a-f]{16}$/

/**
 * Returns the arrivals after a version, in order. Without a version it starts with the arrivals since a date,
 * or empty at the current version.
 */
export function feed(database: Database, params: Readonly<Record<string, unknown>>) {
  const kind = kindOf(database, params, 'GetFeed')
  if (kind.feedLimit === null)
    throw new Refusal('ArgumentException', `There is no feed of ${String(params['typeName'])}.`)
  const most = Math.min(limitIn(params) ?? kind.feedLimit, kind.feedLimit)
  const shelf = database.shelf(String(params['typeName']), kind)
  const { from, to: _to, ...search } = readSearch(params)
  const requested = knownVersion(database, versionIn(params['fromVersion']))
  const start = requested ?? (from === undefined ? shelf.head : shelf.before(from))
  const data: Entity[] = []
  let last = Math.max(start, shelf.head)
  for (const { version, entity } of shelf.after(start)) {
    if (data.length >= most) break
    if (!isFound(entity, search, 'none')) continue
    data.push(entity)
    if (data.length >= most) last = version
  }
  return { data, toVersion: versionText(database.firstVersion + Math.max(last, FIRST_VERSION - 1)) }
}

/** Returns null without a version, and for one from before a restart of versions. */
function knownVersion({ firstVersion, fleet }: Database, requested: number | null): number | null {
  if (requested === null || requested >= firstVersion) return requested && requested - firstVersion
  if (fleet.switches.unknownVersion === 'all') return 0
  throw new Refusal('ArgumentException', `The version '${versionText(requested)}' is not valid.`)
}

function versionIn(value: unknown): number | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || !VERSION.test(value))
    throw new Refusal('ArgumentException', `The version '${String(value)}' is not valid.`)
  return Number.parseInt(value, 16)
}
