import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../../domain/time.ts'

/** A message is accepted for this time before and after its timestamp. */
const TOLERANCE_SECONDS = 300

/** Content of the header `Stripe-Signature`. */
export interface StripeSignature {
  readonly timestamp: string
  /** Signatures of the scheme `v1`, in hexadecimal. While a secret is rolled, there are several. */
  readonly signatures: readonly Buffer[]
}

/**
 * Parses the header `Stripe-Signature`. Null if it is malformed, or its timestamp is not close to now. Unlike the
 * package of Stripe, it also refuses timestamps of the future.
 */
export function parseStripeSignature(header: string | undefined, now: Instant): StripeSignature | null {
  const members = (header ?? '').split(',').map((member) => member.split('=', 2))
  const valuesOf = (name: string) =>
    members.flatMap(([key, value]) => (key?.trim() === name && value ? [value] : []))
  const [timestamp, ...otherTimestamps] = valuesOf('t')
  const signatures = valuesOf('v1')
    .filter((value) => /^[0-9a-f]{64}$/.test(value))
    .map((value) => Buffer.from(value, 'hex'))
  if (timestamp === undefined || otherTimestamps.length > 0 || signatures.length === 0) return null
  if (!/^\d{1,12}$/.test(timestamp)) return null
  const isCurrent = Math.abs(Math.floor(now / 1000) - Number(timestamp)) <= TOLERANCE_SECONDS
  return isCurrent ? { timestamp, signatures } : null
}

/** Whether one of the signatures is that of the body with this secret. An empty secret signs nothing. */
export function isSignedWith(
  secret: string,
  { timestamp, signatures }: StripeSignature,
  body: Buffer,
): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  return signatures.filter((signature) => timingSafeEqual(signature, expected)).length > 0 && secret !== ''
}
