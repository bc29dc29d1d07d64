import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import { PublicError } from '../../domain/errors.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import {
  withPublicErrors,
  type MediaReference,
  type ProviderCallDeps,
  createProviderCalls,
} from './provider-calls.ts'

/** Lifetime of a media URL. */
const TICKET_TTL_MS = 3_600_000
const MAC_BYTES = 16

interface Ticket extends MediaReference {
  readonly expiresAt: Instant
}

/**
 * Creates and verifies the tokens of media URLs. Tokens are signed and expire after an hour. The first key signs.
 * Tokens remain valid when the master key changes, because each earlier master key also gives a key that verifies.
 */
export function createMediaTickets(secrets: Pick<EnvelopeEncryption, 'derive'>, clock: Clock) {
  const keys = secrets.derive('media')
  const [signingKey = Buffer.alloc(0)] = keys
  const macOf = (body: Buffer, key: Buffer): Buffer =>
    createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES)
  return {
    tokenOf({ connectionId, eventSourceId, startedAt, facing }: MediaReference): string {
      const expiresAt = clock.now() + TICKET_TTL_MS
      const ticket: Ticket = { connectionId, eventSourceId, startedAt, facing, expiresAt }
      const body = Buffer.from(JSON.stringify(ticket))
      return Buffer.concat([macOf(body, signingKey), body]).toString('base64url')
    },

    /** Returns the media reference of a token; null if the signature is invalid or the token has expired. */
    mediaOf(token: string): MediaReference | null {
      const bytes = Buffer.from(token, 'base64url')
      const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
      if (mac.length < MAC_BYTES) return null
      if (!keys.some((key) => timingSafeEqual(mac, macOf(body, key)))) return null
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

/**
 * Fetches the video of a token from its provider. The token alone authorizes the request. The request fails if the
 * connection is no longer connected.
 */
export const openMediaByToken =
  ({ tickets, ...deps }: MediaDeps) =>
  async (token: string, signal: AbortSignal): Promise<Response> => {
    const reference = tickets.mediaOf(token)
    if (!reference)
      throw videoNotFoundError('The URL is invalid or older than an hour. Request the camera media again.')
    const { connectionId, eventSourceId, startedAt, facing } = reference
    const [owner] = await deps.db.rows<{ applicationId: string }>(
      'SELECT `applicationId` FROM `connections` WHERE `id` = ?',
      [connectionId],
    )
    if (!owner) throw videoNotFoundError('The connection was deleted.')
    const tenant = { applicationId: owner.applicationId, connectionIds: [connectionId] }
    const { adapter, api } = await createProviderCalls(deps, tenant).connection(connectionId, signal)
    const media = await withPublicErrors(
      adapter.cameraMedia?.(api, eventSourceId, startedAt) ?? Promise.resolve(null),
    )
    const file = facing === 'front' ? media?.files.frontFacing : media?.files.rearFacing
    if (!file) throw videoNotFoundError('The provider no longer has this video.')
    return withPublicErrors(api.file(file.url))
  }

const videoNotFoundError = (detail: string) =>
  new PublicError('not_found', 'There is no such video.', { detail })
