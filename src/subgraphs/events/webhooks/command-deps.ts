import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { OutboundRules } from '../../../platform/outbound-http/ssrf-guard.ts'
import type { Notifier } from '../../../queue/notifier.ts'
import type { Database } from '../../../storage/database.ts'
import type { Clock } from '../../../domain/time.ts'

/** What the verbs of webhooks work with, once per process. */
export interface WebhookCommandDeps {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly secrets: EnvelopeEncryption
  readonly notifier: Pick<Notifier, 'notify'>
  readonly clock: Clock
  /** Where webhooks may be sent to: https and public addresses only unless told. */
  readonly outgoingRules?: OutboundRules
}
