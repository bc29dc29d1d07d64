import { invalidMember } from '../../../../domain/errors.ts'
import { newSigningSecret } from '../../../../auth/keys.ts'
import type { EnvelopeEncryption } from '../../../../auth/envelope-encryption.ts'
import { type Id, newId } from '../../../../domain/ids.ts'
import type { Instant } from '../../../../domain/time.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookSecret } from '../webhook-secret.ts'
import { encryptionContext } from '../../../tables/encrypted-columns.ts'

export interface NewSecret {
  readonly row: WebhookSecret
  /** Secret in plain text. The database has only its encrypted form, and no query returns it. */
  readonly secret: string
}

/** Returns the row of a signing secret: the caller's own secret, or a generated one. */
export function signingSecret(
  secrets: EnvelopeEncryption,
  { id: endpointId, applicationId }: Pick<WebhookEndpoint, 'id' | 'applicationId'>,
  ownSecret: string | null | undefined,
  now: Instant,
): NewSecret {
  if (ownSecret != null) checkSecret(ownSecret)
  const secret = ownSecret ?? newSigningSecret()
  const id: Id<'webhookSecret'> = newId('webhookSecret', now)
  const secretSealed = secrets.seal(
    secret,
    encryptionContext('webhook_secrets.secretSealed', { id, applicationId }),
  )
  return { secret, row: { id, applicationId, endpointId, secretSealed, createdAt: now, expiresAt: null } }
}

const PREFIX = 'whsec_'
const MIN_BYTES = 24
const MAX_BYTES = 64

function checkSecret(secret: string): void {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && bytes.toString('base64') === text) return
  throw invalidMember(
    'secret',
    `\`secret\` must be ${PREFIX} followed by the Base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes.`,
  )
}
