import { createHash } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { type Model, models } from './models/models.ts'
import type { Instant } from './time.ts'

/** Prefixes of records that do not come from a provider. */
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
} as const

type ModelWithId = Extract<Model, { id: object }>

/** Id prefixes by kind of record; the prefix precedes the ULID. */
export const idPrefixes = {
  ...ownPrefixes,
  ...Object.fromEntries(models.flatMap(({ id }) => (id ? [[id.kind, id.prefix]] : []))),
} as typeof ownPrefixes & { readonly [M in ModelWithId as M['id']['kind']]: M['id']['prefix'] }

export type Kind = keyof typeof idPrefixes

/** Prefixed ULID of a kind of record, such as `vcl_01J…` for a vehicle. */
export type Id<K extends Kind> = string & { readonly kind?: K }

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LENGTH = 10
const kindOfPrefix = new Map<string, Kind>(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind as Kind]),
)
const nextUlid = monotonicFactory()

/** Returns a new id. Ids of one process sort in the order of their creation. */
export function newId<K extends Kind>(kind: K, now?: Instant): Id<K> {
  return `${idPrefixes[kind]}_${nextUlid(now)}`
}

/**
 * Returns the id of a provider's record: the time of the connection id, then a hash of the provider's own id.
 * The same record always gets the same id. A reference therefore needs no lookup, and writing a page
 * of a sync again creates no duplicates.
 */
export function derivedId<K extends Kind>(kind: K, connectionId: Id<'connection'>, sourceId: string): Id<K> {
  return `${idPrefixes[kind]}_${idTimeOf(connectionId)}${hash80(`${connectionId}/${kind}/${sourceId}`)}`
}

/** Returns the time part of a connection id; the ids of its records start with it after their prefix. */
export const idTimeOf = (connectionId: Id<'connection'>): string =>
  connectionId.slice(idPrefixes.connection.length + 1, idPrefixes.connection.length + 1 + TIME_LENGTH)

/** Returns a lower bound for the ids of a time: ids of earlier times sort before it. Not for derived ids. */
export const firstIdAt = (kind: Kind, at: Instant): string => `${idPrefixes[kind]}_${encodeTime(at)}`

/** Returns the id of an entry of a time series, such as a location: its time, then a hash of its owner's id. */
export function pointId<K extends Kind>(kind: K, owner: string, at: Instant): Id<K> {
  return `${idPrefixes[kind]}_${encodeTime(at)}${hash80(owner)}`
}

/** Returns the kind of an id; null if the text is not an id of this service. */
export function kindOf(id: string): Kind | null {
  const cut = id.lastIndexOf('_')
  if (cut < 0 || !ULID.test(id.slice(cut + 1))) return null
  return kindOfPrefix.get(id.slice(0, cut)) ?? null
}

export const isId = <K extends Kind>(kind: K, text: string): text is Id<K> & string => kindOf(text) === kind

/** Returns 80 bits of SHA-256 in 16 characters of the Crockford alphabet. */
function hash80(text: string): string {
  const bytes = createHash('sha256').update(text).digest()
  let out = ''
  for (let group = 0; group < 10; group += 5) {
    const bits = bytes.readUIntBE(group, 5)
    for (let digit = 7; digit >= 0; digit--) out += CROCKFORD[Math.floor(bits / 32 ** digit) % 32]
  }
  return out
}

function encodeTime(at: Instant): string {
  let rest = Math.max(0, at)
  let out = ''
  for (let digit = 0; digit < TIME_LENGTH; digit++) {
    out = CROCKFORD[rest % 32] + out
    rest = Math.floor(rest / 32)
  }
  return out
}
