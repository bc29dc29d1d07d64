import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../domain/time.ts'

/** Webhook message of a provider, not parsed. */
export interface NotificationMessage {
  /** Headers by lowercase name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** Data that Odograph reads again after a notification: current positions, or synced records. */
export type NotificationKind = 'positions' | 'records'

/** Reader of a provider's webhooks. A notification only triggers a read. Its content is neither trusted nor stored. */
export interface NotificationReader {
  /** Whether the provider signs its messages. They are rejected until the connection has the signing secret. */
  readonly needsSecret: boolean
  /** Verifies the signature or secret of a message, and its age if it has a timestamp. */
  isGenuine(message: NotificationMessage, secret: string | null, now: Instant): boolean
  /** Returns the kind of a message; null if nothing has to be read. */
  readNotification(body: Readonly<Record<string, unknown>>): NotificationKind | null
}

/** Returns the HMAC of a message as hex. */
export const hmacOf = (
  hash: 'sha1' | 'sha256',
  key: string | Buffer,
  ...parts: readonly (string | Buffer)[]
): string => {
  const hmac = createHmac(hash, key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

/** Compares two texts in constant time, so that the duration reveals nothing about the expected text. */
export function isEqualConstantTime(given: string | undefined, expected: string): boolean {
  const [left, right] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
