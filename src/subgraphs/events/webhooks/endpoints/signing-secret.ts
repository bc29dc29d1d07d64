import { newSigningSecret } from '../../../../auth/keys.ts'
import type { SecretBox } from '../../../../auth/secret-box.ts'
import { type Id, newId } from '../../../../ids.ts'
import type { Instant } from '../../../../time.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookSecret } from '../webhook-secret.ts'
import { refused } from './check-input.ts'
import { sealedFor } from '../../../sealed-columns.ts'

export interface NewSecret {
  readonly row: WebhookSecret
  /** Shown this once: it is stored sealed. */
  readonly secret: string
}

/** A secret for an endpoint: the caller's own, or a new one. */
export function signingSecret(
  secrets: SecretBox,
  { id: endpointId, applicationId }: Pick<WebhookEndpoint, 'id' | 'applicationId'>,
  own: string | null | undefined,
  now: Instant,
): NewSecret {
  if (own != null) checkSecret(own)
  const secret = own ?? newSigningSecret()
  const id: Id<'webhookSecret'> = newId('webhookSecret', now)
  const secretSealed = secrets.seal(secret, sealedFor('webhook_secrets.secretSealed', { id, applicationId }))
  return { secret, row: { id, applicationId, endpointId, secretSealed, createdAt: now, expiresAt: null } }
}

const PREFIX = 'whsec_'
const FEWEST_BYTES = 24
const MOST_BYTES = 64

function checkSecret(secret: string): void {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length >= FEWEST_BYTES && bytes.length <= MOST_BYTES && bytes.toString('base64') === text) return
  throw refused(
    'secret',
    `\`secret\` must be ${PREFIX} and the Base64 of ${FEWEST_BYTES} to ${MOST_BYTES} bytes.`,
  )
}
