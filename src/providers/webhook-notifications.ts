import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../domain/time.ts'

/** A message of a provider's webhook, as it came. */
export interface NotificationMessage {
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** What is to be read again after a message: where the vehicles are, or what was recorded. */
export type NotificationKind = 'positions' | 'records'

/** How a provider's webhooks are read: as hints that it is time to look, and as nothing else. */
export interface NotificationReader {
  /** Whether its messages are signed: without the secret none of them is taken. */
  readonly needsSecret: boolean
  /** Whether a message is the provider's own, and of now where it says when it was sent. */
  isGenuine(message: NotificationMessage, secret: string | null, now: Instant): boolean
  /** What a message is about, by its kind alone; null where nothing is to be read for it. */
  readNotification(body: Readonly<Record<string, unknown>>): NotificationKind | null
}

/** The digest of a message under a shared secret. */
export const digestOf = (
  hash: 'sha1' | 'sha256',
  key: string | Buffer,
  ...parts: readonly (string | Buffer)[]
): string => {
  const hmac = createHmac(hash, key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

/** Compares what was sent with what is right, in a time that does not tell how much of it is. */
export function isSame(given: string | undefined, right: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
