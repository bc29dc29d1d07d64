import { newId } from '../../../domain/ids.ts'
import type { Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { Agreement } from '../agreement.ts'
import type { Connection } from '../connection.ts'

/** Agreement that a fleet accepted when it linked its account. */
export interface AcceptedAgreement {
  readonly type?: string | null
  readonly agreementUrl: string
  /** Defaults to the time of storage. */
  readonly acceptedAt?: Instant | null
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

/** Stores the accepted agreements with the user of the account, in addition to earlier ones. */
export const acceptAgreements = (
  tx: Transaction,
  { id: connectionId, applicationId, account }: Connection,
  agreements: readonly AcceptedAgreement[] = [],
  now: Instant,
): Promise<void> =>
  tx.insert(
    tableOf(Agreement),
    agreements.map(({ type, agreementUrl, acceptedAt, ipAddress, userAgent }) => ({
      id: newId('agreement', now),
      applicationId,
      connectionId,
      type: type ?? null,
      agreementUrl,
      acceptedAt: acceptedAt ?? now,
      acceptedBy: account.user ?? {},
      location: null,
      ipAddress: ipAddress ?? null,
      userAgent: userAgent ?? null,
    })),
  )
