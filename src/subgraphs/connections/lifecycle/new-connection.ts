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
  /** Submitted credentials. If `account` is set, they are the credentials to store. */
  readonly credentials: ProviderCredentials
  /** Account of the credentials, if it is already identified. */
  readonly account?: FleetAccount
  readonly syncMode?: SyncMode
  /** Defaults to the name and the US DOT numbers of the account. */
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

/** Connection of an account that was linked: a new connection, or the existing one of the account. */
export interface LinkedConnection {
  readonly connection: Connection
  /** Connection token. */
  readonly token: string
  /** False if the account already had a connection. */
  readonly isNew: boolean
  /** Requested sync, which the caller must enqueue after the commit; null if none was requested. */
  readonly sync: Sync | null
}

/** Input whose account is identified and whose credentials are those to store. */
export interface IdentifiedAccount extends NewConnectionInput {
  readonly account: FleetAccount
}
