import { newSigningSecret } from '../../../../auth/keys.ts'
import type { EnvelopeEncryption } from '../../../../auth/envelope-encryption.ts'
import { type Id, newId } from '../../../../domain/ids.ts'
import type { Instant } from '../../../../domain/time.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookSecret } from '../webhook-secret.ts'
import { invalidMember } from './validate-endpoint.ts'
import { encryptionContext } from '../../../tables/encrypted-columns.ts'

export interface NewSecret {
  readonly row: WebhookSecret
  /** Shown this once: it is stored sealed. */
  readonly secret: string
}

/** A secret for an endpoint: the caller's own, or a new one. */
export function signingSecret(
  secrets: EnvelopeEncryption,
  { id: endpointId, applicationId }: Pick<WebhookEndpoint, 'id' | 'applicationId'>,
  own: string | null | undefined,
  now: Instant,
): NewSecret {
  if (own != null) checkSecret(own)
  const secret = own ?? newSigningSecret()
  const id: Id<'webhookSecret'> = newId('webhookSecret', now)
  const secretSealed = secrets.seal(
    secret,
    encryptionContext('webhook_secrets.secretSealed', { id, applicationId }),
  )
  return { secret, row: { id, applicationId, endpointId, secretSealed, createdAt: now, expiresAt: null } }
}

const PREFIX = 'whsec_'
const FEWEST_BYTES = 24
const MAX_BYTES = 64

function checkSecret(secret: string): void {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length >= FEWEST_BYTES && bytes.length <= MAX_BYTES && bytes.toString('base64') === text) return
  throw invalidMember(
    'secret',
    `\`secret\` must be ${PREFIX} and the Base64 of ${FEWEST_BYTES} to ${MAX_BYTES} bytes.`,
  )
}
