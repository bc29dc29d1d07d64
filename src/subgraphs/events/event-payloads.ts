import type { Caller } from '../../auth/caller.ts'
import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { EventRow } from '../../storage/outbox.ts'
import { type Instant, toIso } from '../../domain/time.ts'
import { hasStatusFlag } from '../tables/connection-states.ts'
import { nameFor } from './event-types.ts'
import { encryptionContext } from '../tables/encrypted-columns.ts'

/** Payload of an event. Webhooks and readers of the log get the same members. */
export interface EventPayload {
  readonly id: string
  readonly type: string
  /** ISO 8601 date-time. */
  readonly timestamp: string
  readonly detail: Readonly<Record<string, unknown>>
}

export interface PayloadDeps {
  readonly db: Rows
  /** Null for readers that must not get connection tokens. They get the stored detail, without token and link. */
  readonly secrets: Pick<EnvelopeEncryption, 'open'> | null
  /** Returns the base URL of the pages where fleets sign in again, without a trailing slash. */
  linkUrl(): string
}

/** Returns the dependencies for a caller. A session must not get connection tokens. */
export const payloadDepsFor = <Deps extends PayloadDeps>(deps: Deps, { session }: Caller) =>
  session === null ? deps : { ...deps, secrets: null }

/**
 * Builds the payloads of log entries, in the order of the entries and with the requested type names. Connection events
 * get the token and link of the connection, which the log does not store. The same entry always has the same payload.
 */
export async function buildEventPayloads(
  deps: PayloadDeps,
  entries: readonly EventRow[],
  requestedTypes: readonly string[] | null,
): Promise<EventPayload[]> {
  const addSecrets = await loadConnectionSecrets(deps, entries.filter(isConnectionEvent))
  return entries.map((entry) => ({
    id: entry.id,
    type: nameFor(requestedTypes, entry.type) ?? entry.type,
    timestamp: toIso(entry.occurredAt),
    detail: isConnectionEvent(entry) ? addSecrets(entry) : entry.detail,
  }))
}

export const isConnectionEvent = ({ type }: EventRow): boolean => type.startsWith('connection.')

interface StoredToken {
  readonly id: string
  readonly applicationId: string
  readonly tokenSealed: string
}

interface PublishableKey {
  readonly applicationId: string
  readonly publishable: string
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  readonly expiresAt: Instant | null
}

type Detail = EventPayload['detail']

/**
 * Loads tokens and publishable keys with two statements. Returns a function that adds token and link to the detail of
 * a connection event. A deleted connection gets no link, because no fleet can sign in to it again.
 */
async function loadConnectionSecrets(deps: PayloadDeps, entries: readonly EventRow[]) {
  const { secrets } = deps
  if (!secrets) return ({ detail }: EventRow): Detail => detail
  const [tokens, keys] = await Promise.all([tokensOf(deps, entries), publishableKeys(deps, entries)])
  return ({ connectionId, applicationId, occurredAt, detail }: EventRow): Detail => {
    const connection = detail['connection'] as Detail | undefined
    const stored = tokens.get(connectionId)
    if (!connection || stored?.applicationId !== applicationId) return detail
    const token = secrets.open(stored.tokenSealed, encryptionContext('connections.tokenSealed', stored))
    const key = keys.find(
      (candidate) => candidate.applicationId === applicationId && wasValid(candidate, occurredAt),
    )
    const query = key ? `?key=${key.publishable}` : ''
    const link = hasStatusFlag(connection['status'], 'isDeleted')
      ? {}
      : { linkUrl: `${deps.linkUrl()}/connection/${connectionId}${query}` }
    return { ...detail, connection: { ...connection, token, ...link } }
  }
}

/** Whether a key was valid at the time of an event. All deliveries of an event thus have the same key in their link. */
const wasValid = ({ createdAt, revokedAt, expiresAt }: PublishableKey, at: Instant): boolean =>
  Number(createdAt) <= at && [revokedAt, expiresAt].every((end) => end === null || Number(end) > at)

async function tokensOf(
  { db }: PayloadDeps,
  entries: readonly EventRow[],
): Promise<Map<string, StoredToken>> {
  const ids = [...new Set(entries.map(({ connectionId }) => connectionId))]
  if (ids.length === 0) return new Map()
  const rows = await db.rows<StoredToken>(
    `SELECT \`id\`, \`applicationId\`, \`tokenSealed\` FROM \`connections\` WHERE \`id\` IN (${placeholders(ids.length)})`,
    ids,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Loads the publishable keys of the applications, newest first. */
async function publishableKeys({ db }: PayloadDeps, entries: readonly EventRow[]): Promise<PublishableKey[]> {
  const ids = [...new Set(entries.map(({ applicationId }) => applicationId))]
  if (ids.length === 0) return []
  return db.rows<PublishableKey>(
    `SELECT \`applicationId\`, \`publishable\`, \`createdAt\`, \`revokedAt\`, \`expiresAt\` FROM \`api_keys\`
      WHERE \`publishable\` IS NOT NULL AND \`applicationId\` IN (${placeholders(ids.length)}) ORDER BY \`id\` DESC`,
    ids,
  )
}
