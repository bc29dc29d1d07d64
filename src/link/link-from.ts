import type { KeyUses } from '../subgraphs/connections/applications/key-uses.ts'
import type { CheckFrom } from '../subgraphs/connections/linking/check-account.ts'
import type { LinkLimits } from '../subgraphs/connections/linking/link-turns.ts'
import type { Checks } from './checks.ts'

/** What the link pages work with, once per process. */
export interface LinkFrom extends CheckFrom {
  /** Where fleets are told to find them; null where nobody has said, and they are where they are asked for. */
  readonly address: string | null
  /** Whether an address is that of a proxy before the service, of which it believes who came to it; null where nobody has said. */
  readonly isProxy: ((address: string) => boolean) | null
  readonly limits: LinkLimits
  readonly checks: Checks
  readonly keyUses: Pick<KeyUses, 'note'>
}
