import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import type { ProviderAdapter, ProviderCredentials, Account } from '../../../providers/provider.ts'
import type { Actor } from '../../tables/audit-log.ts'
import type { SyncMode, Company, Connection } from '../connection.ts'
import type { Sync } from '../syncs/sync.ts'
import type { AcceptedAgreement } from './accept-agreements.ts'

export interface NewConnectionInput {
  readonly applicationId: Id<'application'>
  readonly provider: ProviderAdapter
  /** What the fleet signs in with; where `account` says whose it is already, as it is kept. */
  readonly credentials: ProviderCredentials
  /** The account that the credentials open, where that has been asked already. */
  readonly account?: Account
  readonly syncMode?: SyncMode
  /** The account's own name and numbers where it is absent. */
  readonly company?: Partial<Company>
  readonly options?: Record<string, unknown>
  readonly externalId?: string | null
  readonly tags?: readonly string[]
  readonly filters?: Record<string, unknown> | null
  readonly agreements?: readonly AcceptedAgreement[]
  /** The earliest record time that the first sync asks for; from now on where it is absent. */
  readonly backfillFrom?: Instant | null
  /** Who links it; the service by itself where it is absent. */
  readonly actor?: Actor
}

export interface NewConnection {
  readonly connection: Connection
  readonly token: string
  /** False where the account had its connection already. */
  readonly isNew: boolean
  /** What was asked for at once, for the caller to leave to the workers. */
  readonly sync: Sync | null
}

/** A wish whose account has been asked for. */
export interface IdentifiedAccount extends NewConnectionInput {
  readonly account: Account
}
