import { FIRST_VERSION } from '../stores/entity-store.ts'
import { versionText, type Entity } from '../formats.ts'
import type { Database } from './database.ts'
import { kindOf, limitIn } from './get.ts'
import { Refusal } from './refusal.ts'
import { matchesSearch, readSearch } from './search.ts'

const VERSION = /^[0-9a-f]{16}$/

/**
 * Returns the changes after a version, or else those since a date. Without both, the feed is empty and starts at the
 * current version.
 */
export function feed(database: Database, params: Readonly<Record<string, unknown>>) {
  const kind = kindOf(database, params, 'GetFeed')
  if (kind.feedLimit === null)
    throw new Refusal('ArgumentException', `There is no feed of ${String(params['typeName'])}.`)
  const maxResults = Math.min(limitIn(params) ?? kind.feedLimit, kind.feedLimit)
  const store = database.store(String(params['typeName']), kind)
  const { from, to: _to, ...search } = readSearch(params)
  const requested = knownVersion(database, versionIn(params['fromVersion']))
  const start = requested ?? (from === undefined ? store.head : store.before(from))
  const data: Entity[] = []
  let last = Math.max(start, store.head)
  for (const { version, entity } of store.after(start)) {
    if (data.length >= maxResults) break
    if (!matchesSearch(entity, search, 'none')) continue
    data.push(entity)
    if (data.length >= maxResults) last = version
  }
  return { data, toVersion: versionText(database.firstVersion + Math.max(last, FIRST_VERSION - 1)) }
}

/** Returns the requested version, or null. Depending on a switch, an unknown version is refused or means the first. */
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
