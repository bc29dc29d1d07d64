import type { SecretBox } from '../../../auth/secret-box.ts'
import type { OutgoingRules } from '../../../outgoing/check-url.ts'
import type { Doorbell } from '../../../queue/doorbell.ts'
import type { Database } from '../../../storage/database.ts'
import type { Clock } from '../../../time.ts'

/** What the verbs of webhooks work with, once per process. */
export interface WebhookWritesFrom {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly secrets: SecretBox
  readonly doorbell: Pick<Doorbell, 'ring'>
  readonly clock: Clock
  /** Where webhooks may be sent to: https and public addresses only unless told. */
  readonly outgoingRules?: OutgoingRules
}
