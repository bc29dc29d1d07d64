import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import { PublicError } from '../../domain/errors.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import {
  toPublicError,
  type MediaReference,
  type ProviderCallDeps,
  createProviderCalls,
} from './provider-calls.ts'

/** How long the address of a film is good for (gaps 1.9). */
const GOOD_FOR_MS = 3_600_000
const MAC_BYTES = 16

interface Ticket extends MediaReference {
  readonly expiresAt: Instant
}

/** Makes the addresses under which this service serves films: signed, and good for an hour. */
export function createMediaTickets(secrets: Pick<EnvelopeEncryption, 'derive'>, clock: Clock) {
  const keys = secrets.derive('media')
  const [signing = Buffer.alloc(0)] = keys
  const macOf = (body: Buffer, key: Buffer): Buffer =>
    createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES)
  return {
    tokenOf({ connectionId, eventSourceId, startedAt, facing }: MediaReference): string {
      const expiresAt = clock.now() + GOOD_FOR_MS
      const ticket: Ticket = { connectionId, eventSourceId, startedAt, facing, expiresAt }
      const body = Buffer.from(JSON.stringify(ticket))
      return Buffer.concat([macOf(body, signing), body]).toString('base64url')
    },

    /** The film of a token; null where it is not one of ours, or no longer. */
    mediaOf(token: string): MediaReference | null {
      const bytes = Buffer.from(token, 'base64url')
      const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
      if (mac.length < MAC_BYTES) return null
      if (!keys.some((signer) => timingSafeEqual(mac, macOf(body, signer)))) return null
      const ticket = JSON.parse(body.toString()) as Ticket
      return ticket.expiresAt > clock.now() ? ticket : null
    },
  }
}

export type MediaTickets = ReturnType<typeof createMediaTickets>

interface MediaDeps extends Pick<ProviderCallDeps, 'secrets' | 'registry' | 'renewing'> {
  readonly db: Pick<Database, 'rows'>
  readonly tickets: MediaTickets
}

/** Opens the film of a token at its provider, where its connection can still be asked. The token is the caller. */
export const openMediaByToken =
  ({ tickets, ...from }: MediaDeps) =>
  async (token: string, signal: AbortSignal): Promise<Response> => {
    const film = tickets.mediaOf(token)
    if (!film) throw notFound('The address is not known, or its hour is over. Ask for a new one.')
    const { connectionId, eventSourceId, startedAt, facing } = film
    const [owner] = await from.db.rows<{ applicationId: string }>(
      'SELECT `applicationId` FROM `connections` WHERE `id` = ?',
      [connectionId],
    )
    if (!owner) throw notFound('The connection is gone.')
    const tenant = { applicationId: owner.applicationId, connectionIds: [connectionId] }
    const { adapter, api } = await createProviderCalls(from, tenant).connection(connectionId, signal)
    const media = await toPublicError(
      adapter.cameraMedia?.(api, eventSourceId, startedAt) ?? Promise.resolve(null),
    )
    const file = facing === 'front' ? media?.draft.frontFacing : media?.draft.rearFacing
    if (!file) throw notFound('The provider no longer has this film.')
    return toPublicError(api.file(file.url))
  }

const notFound = (detail: string) => new PublicError('not_found', 'There is no such film.', { detail })
