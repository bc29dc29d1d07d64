import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'

/**
 * Signature headers of a message by the scheme of Standard Webhooks (v1), under its header names and those of
 * Svix. There is one signature for each secret, newest first. `body` must be the exact body of the request,
 * and the timestamp is the time of this attempt.
 */
export function signatureHeaders(
  secrets: readonly string[],
  messageId: string,
  timestampSeconds: number,
  body: string | Uint8Array,
): Record<string, string> {
  const timestamp = String(timestampSeconds)
  const signature = secrets.map((secret) => signatureOf(secret, messageId, timestamp, body)).join(' ')
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    'svix-id': messageId,
    'svix-timestamp': timestamp,
    'svix-signature': signature,
  }
}

const signatureOf = (secret: string, id: string, timestamp: string, body: string | Uint8Array): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')
