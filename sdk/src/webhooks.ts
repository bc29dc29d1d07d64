import type { Event } from './generated.ts'

/** Headers of a webhook request: a Headers object, or the headers object of Node. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

export interface Verification {
  /** Maximum difference between the time of the message and now, in either direction; 300 by default. */
  readonly toleranceSeconds?: number
  /** Current time in milliseconds, for tests. */
  readonly now?: number
}

/** Reason for the rejection of a message. `missing_headers`: a signature header is missing or malformed. */
export type WebhookRefusal = 'missing_headers' | 'too_old' | 'too_new' | 'wrong_signature' | 'unreadable_body'

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'

  constructor(
    readonly reason: WebhookRefusal,
    message: string,
  ) {
    super(message)
  }
}

/** The service sends the signature headers twice: with the names of Standard Webhooks, and with those of Svix. */
const HEADER_PREFIXES = ['webhook', 'svix'] as const

/**
 * Verifies a webhook and returns its event. At least one signature must match one of the secrets; during a rotation of
 * the secret there are several of both. Pass the raw body, before it is parsed. An event can arrive twice: identify it
 * by its id.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: Verification = {},
): Promise<Event> {
  const { id, timestamp, signatures } = signatureHeaders(headers)
  refuseUnlessNear(timestamp, Math.floor(now / 1000), toleranceSeconds)
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody
  const content = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets)
    if (await isSigned(content, signatures, secret)) return eventOf(body)
  throw new WebhookVerificationError('wrong_signature', 'No signature matches a secret.')
}

/** Reads the first complete set of signature headers. */
function signatureHeaders(headers: WebhookHeaders) {
  const read = readerOf(headers)
  for (const prefix of HEADER_PREFIXES) {
    const [id, timestamp, signature] = [
      read(`${prefix}-id`),
      read(`${prefix}-timestamp`),
      read(`${prefix}-signature`),
    ]
    if (id && timestamp && signature) return { id, timestamp, signatures: signaturesIn(signature) }
  }
  throw new WebhookVerificationError(
    'missing_headers',
    'The headers webhook-id, webhook-timestamp and webhook-signature are missing.',
  )
}

function readerOf(headers: WebhookHeaders): (name: string) => string | null {
  if (typeof headers.get === 'function') {
    const { get } = headers
    return (name) => get.call(headers, name)
  }
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = named.get(name)
    return typeof value === 'string' ? value : null
  }
}

/** Reads signatures of the form `v1,<base64>`, separated by spaces. Other versions are ignored. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((one) => {
    const [version, signature = ''] = one.split(',')
    const bytes = version === 'v1' ? bytesOf(signature) : null
    return bytes ? [bytes] : []
  })

function refuseUnlessNear(timestamp: string, now: number, tolerance: number): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookVerificationError('missing_headers', 'The timestamp is not a number of seconds.')
  const age = now - Number(timestamp)
  if (age > tolerance) throw new WebhookVerificationError('too_old', `The message is ${age} s old.`)
  if (age < -tolerance) throw new WebhookVerificationError('too_new', `The message is ${-age} s ahead.`)
}

const PREFIX = 'whsec_'

/** Returns whether a signature matches the secret. WebCrypto compares in constant time. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secret: string,
): Promise<boolean> {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (!bytes || bytes.length === 0) throw new TypeError('A webhook secret is whsec_ followed by base64.')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  for (const signature of signatures)
    if (await crypto.subtle.verify('HMAC', key, signature, content)) return true
  return false
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

function eventOf(body: Uint8Array): Event {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Event
  } catch {
    throw new WebhookVerificationError('unreadable_body', 'The body is not JSON.')
  }
}
