import type { KeyUsageRecorder } from '../subgraphs/connections/applications/key-usage.ts'
import type { AccountCheckDeps } from '../subgraphs/connections/linking/check-account.ts'
import type { LinkLimits } from '../subgraphs/connections/linking/rate-limit/link-rate-limiter.ts'
import type { AccountCheckQueue } from './run/account-check-queue.ts'

/** What the link pages work with, once per process. */
export interface LinkDeps extends AccountCheckDeps {
  /** Where fleets are told to find them; null where nobody has said, and they are where they are asked for. */
  readonly address: string | null
  /** Whether an address is that of a proxy before the service, of which it believes who came to it; null where nobody has said. */
  readonly isProxy: ((address: string) => boolean) | null
  readonly limits: LinkLimits
  readonly checks: AccountCheckQueue
  readonly keyUses: Pick<KeyUsageRecorder, 'record'>
}
