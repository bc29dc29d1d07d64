import { createHash } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { type Model, models } from './models/models.ts'
import type { Instant } from './time.ts'

/** Id prefixes of records that this service creates. The other records come from a provider: see `models`. */
const ownPrefixes = {
  application: 'app',
  key: 'key',
  connection: 'conn',
  agreement: 'agr',
  sync: 'sync',
  issue: 'isu',
  event: 'evt',
  webhookEndpoint: 'whe',
  webhookSecret: 'whs',
  webhookDelivery: 'whd',
  webhookAttempt: 'wha',
  session: 'ses',
  shortLink: 'slk',
  linkRun: 'lnk',
  providerWebhook: 'pwh',
  auditEntry: 'aud',
  loggedRequest: 'req',
  purchaseCheck: 'pchk',
  purchasePolicy: 'ppl',
  purchaseCard: 'pcd',
  purchaseSite: 'pst',
  cardNetworkEndpoint: 'cne',
  purchaseReplay: 'prpl',
} as const

type ModelWithId = Extract<Model, { id: object }>

/** Id prefixes by kind of record. An id is a prefix, `_` and a ULID. */
export const idPrefixes = {
  ...ownPrefixes,
  ...Object.fromEntries(models.flatMap(({ id }) => (id ? [[id.kind, id.prefix]] : []))),
} as typeof ownPrefixes & { readonly [M in ModelWithId as M['id']['kind']]: M['id']['prefix'] }

export type Kind = keyof typeof idPrefixes

/** Prefixed ULID of a kind of record, such as `vcl_01J…` for a vehicle. */
export type Id<K extends Kind> = string & { readonly kind?: K }

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Number of characters of a ULID that contain its time. The other 16 are random, or a hash. */
const TIME_LENGTH = 10
const kindsByPrefix = new Map<string, Kind>(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind as Kind]),
)
const nextUlid = monotonicFactory()

/** Returns a new id. Ids of one process sort in the order of their creation. */
export function newId<K extends Kind>(kind: K, now?: Instant): Id<K> {
  return `${idPrefixes[kind]}_${nextUlid(now)}`
}

/**
 * Returns the id of a provider's record: the time of the connection id, then a hash of the record's id at the
 * provider. The same record always gets the same id. A reference from another record therefore needs no
 * lookup, and a sync that stores a record again creates no duplicate.
 */
export function derivedId<K extends Kind>(kind: K, connectionId: Id<'connection'>, sourceId: string): Id<K> {
  return `${idPrefixes[kind]}_${idTimeOf(connectionId)}${hash80(`${connectionId}/${kind}/${sourceId}`)}`
}

/** Returns the time in a connection id. The ids of the connection's records contain it after their prefix. */
export const idTimeOf = (connectionId: Id<'connection'>): string =>
  connectionId.slice(idPrefixes.connection.length + 1, idPrefixes.connection.length + 1 + TIME_LENGTH)

/**
 * Returns a lower bound for the ids of a time: ids of earlier times sort before it, ids of this time after it.
 * Not for derived ids, whose time is that of their connection.
 */
export const firstIdAt = (kind: Kind, at: Instant): string => `${idPrefixes[kind]}_${encodeTime(at)}`

/**
 * Returns the id of a point of a time series: its time, then a hash of the series. A series is for example the
 * locations of one vehicle; `seriesKey` is then the vehicle's id.
 */
export function pointId<K extends Kind>(kind: K, seriesKey: string, at: Instant): Id<K> {
  return `${idPrefixes[kind]}_${encodeTime(at)}${hash80(seriesKey)}`
}

/** Returns the kind of an id; null if the text is not an id of this service. */
export function kindOf(id: string): Kind | null {
  const separator = id.lastIndexOf('_')
  if (separator < 0 || !ULID.test(id.slice(separator + 1))) return null
  return kindsByPrefix.get(id.slice(0, separator)) ?? null
}

export const isId = <K extends Kind>(kind: K, text: string): text is Id<K> & string => kindOf(text) === kind

/** Returns a kind in words with its article, such as `a safety event`. */
export function withArticle(kind: Kind): string {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return /^[aeiou]/.test(words) ? `an ${words}` : `a ${words}`
}

/** Returns 80 bits of the SHA-256 hash of a text, as 16 characters of Crockford's base 32 alphabet. */
function hash80(text: string): string {
  const bytes = createHash('sha256').update(text).digest()
  let characters = ''
  for (let offset = 0; offset < 10; offset += 5) {
    const fortyBits = bytes.readUIntBE(offset, 5)
    for (let digit = 7; digit >= 0; digit--) characters += CROCKFORD[Math.floor(fortyBits / 32 ** digit) % 32]
  }
  return characters
}

/** Encodes a time as a ULID does. A time before 1970 becomes 1970: ULIDs have no earlier times. */
function encodeTime(at: Instant): string {
  let remaining = Math.max(0, at)
  let characters = ''
  for (let digit = 0; digit < TIME_LENGTH; digit++) {
    characters = CROCKFORD[remaining % 32] + characters
    remaining = Math.floor(remaining / 32)
  }
  return characters
}
