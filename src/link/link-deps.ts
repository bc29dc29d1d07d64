import type { KeyUsageRecorder } from '../subgraphs/connections/applications/key-usage.ts'
import type { AccountCheckDeps } from '../subgraphs/connections/linking/check-account.ts'
import type { LinkLimits } from '../subgraphs/connections/linking/rate-limit/link-rate-limiter.ts'
import type { AccountCheckQueue } from './run/account-check-queue.ts'

/** Dependencies of the link pages, created once per process. */
export interface LinkDeps extends AccountCheckDeps {
  /** Configured base URL of the link pages; null to derive it from the request. */
  readonly baseUrl: string | null
  readonly limits: LinkLimits
  readonly checks: AccountCheckQueue
  readonly keyUses: Pick<KeyUsageRecorder, 'record'>
}
