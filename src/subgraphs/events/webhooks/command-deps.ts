import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { OutboundRules } from '../../../platform/outbound-http/ssrf-guard.ts'
import type { Notifier } from '../../../queue/notifier.ts'
import type { Database } from '../../../storage/database.ts'
import type { Clock } from '../../../domain/time.ts'

/** Dependencies of webhook commands, one set per process. */
export interface WebhookCommandDeps {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly secrets: EnvelopeEncryption
  readonly notifier: Pick<Notifier, 'notify'>
  readonly clock: Clock
  /** Allowed destinations of webhooks. Default: HTTPS and public addresses only. */
  readonly outgoingRules?: OutboundRules
}
