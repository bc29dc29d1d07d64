import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { EventRow } from '../../storage/outbox.ts'
import { type Instant, toIso } from '../../domain/time.ts'
import { holds } from '../tables/connection-states.ts'
import { nameFor } from './event-types.ts'
import { encryptionContext } from '../tables/encrypted-columns.ts'

/** What a webhook carries, and what whoever reads the log gets: the same members, the same words. */
export interface EventPayload {
  readonly id: string
  readonly type: string
  /** ISO 8601. */
  readonly timestamp: string
  readonly detail: Readonly<Record<string, unknown>>
}

export interface PayloadDeps {
  readonly db: Rows
  /** Null for whoever is not to have connection tokens: they see what the log stores. */
  readonly secrets: Pick<EnvelopeEncryption, 'open'> | null
  /** Where fleets sign in again, without a slash at the end. */
  linkUrl(): string
}

/**
 * The bodies of entries of the log, one for each in their order, their types by the names that were asked for. What
 * tells of a connection gets its token and link, which the log does not store. The same entry gives the same body
 * whenever it is asked for.
 */
export async function buildEventPayloads(
  deps: PayloadDeps,
  entries: readonly EventRow[],
  asked: readonly string[] | null,
): Promise<EventPayload[]> {
  const complete = await connectionsOf(deps, entries.filter(tellsOfConnection))
  return entries.map((entry) => ({
    id: entry.id,
    type: nameFor(asked, entry.type) ?? entry.type,
    timestamp: toIso(entry.occurredAt),
    detail: tellsOfConnection(entry) ? complete(entry) : entry.detail,
  }))
}

export const tellsOfConnection = ({ type }: EventRow): boolean => type.startsWith('connection.')

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
 * Adds to the details of connections' events what the log does not store: two statements for all of them. Nobody signs
 * in again to a connection whose data goes or is gone.
 */
async function connectionsOf(deps: PayloadDeps, entries: readonly EventRow[]) {
  const { secrets } = deps
  if (!secrets) return ({ detail }: EventRow): Detail => detail
  const [tokens, keys] = await Promise.all([tokensOf(deps, entries), publishableKeys(deps, entries)])
  return ({ connectionId, applicationId, occurredAt, detail }: EventRow): Detail => {
    const connection = detail['connection'] as Detail | undefined
    const stored = tokens.get(connectionId)
    if (!connection || stored?.applicationId !== applicationId) return detail
    const token = secrets.open(stored.tokenSealed, encryptionContext('connections.tokenSealed', stored))
    const key = keys.find((one) => one.applicationId === applicationId && wasValid(one, occurredAt))
    const query = key ? `?key=${key.publishable}` : ''
    const link = holds(connection['status'], 'isGone')
      ? {}
      : { linkUrl: `${deps.linkUrl()}/connection/${connectionId}${query}` }
    return { ...detail, connection: { ...connection, token, ...link } }
  }
}

/** At the moment of the event, so that its link stays the same however often it is sent. */
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

/** Newest first. */
async function publishableKeys({ db }: PayloadDeps, entries: readonly EventRow[]): Promise<PublishableKey[]> {
  const ids = [...new Set(entries.map(({ applicationId }) => applicationId))]
  if (ids.length === 0) return []
  return db.rows<PublishableKey>(
    `SELECT \`applicationId\`, \`publishable\`, \`createdAt\`, \`revokedAt\`, \`expiresAt\` FROM \`api_keys\`
      WHERE \`publishable\` IS NOT NULL AND \`applicationId\` IN (${placeholders(ids.length)}) ORDER BY \`id\` DESC`,
    ids,
  )
}
