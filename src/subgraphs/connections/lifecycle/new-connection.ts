import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import type { ProviderAdapter, ProviderCredentials, FleetAccount } from '../../../providers/provider.ts'
import type { Actor } from '../../tables/audit-log.ts'
import type { SyncMode, Company, Connection } from '../connection.ts'
import type { Sync } from '../syncs/sync.ts'
import type { AcceptedAgreement } from './accept-agreements.ts'

export interface NewConnectionInput {
  readonly applicationId: Id<'application'>
  readonly provider: ProviderAdapter
  /** Credentials of the fleet: as submitted, or as to be stored if `account` is set. */
  readonly credentials: ProviderCredentials
  /** Account of the credentials, if already identified. */
  readonly account?: FleetAccount
  readonly syncMode?: SyncMode
  /** Defaults to name and numbers of the account. */
  readonly company?: Partial<Company>
  readonly options?: Record<string, unknown>
  readonly externalId?: string | null
  readonly tags?: readonly string[]
  readonly filters?: Record<string, unknown> | null
  readonly agreements?: readonly AcceptedAgreement[]
  /** Earliest record time of the first sync; defaults to the current time. */
  readonly backfillFrom?: Instant | null
  /** Defaults to the service. */
  readonly actor?: Actor
}

export interface NewConnection {
  readonly connection: Connection
  readonly token: string
  /** False if the account already had a connection. */
  readonly isNew: boolean
  /** Requested sync, which the caller enqueues. */
  readonly sync: Sync | null
}

/** Input with an identified account. */
export interface IdentifiedAccount extends NewConnectionInput {
  readonly account: FleetAccount
}
