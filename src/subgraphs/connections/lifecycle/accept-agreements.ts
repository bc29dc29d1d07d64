import { newId } from '../../../domain/ids.ts'
import type { Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { Agreement } from '../agreement.ts'
import type { Connection } from '../connection.ts'

/** What a fleet agreed to when it linked its account. */
export interface AcceptedAgreement {
  readonly type?: string | null
  readonly agreementUrl: string
  /** When it is stored, if it is absent. */
  readonly acceptedAt?: Instant | null
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

/** Keeps what was agreed to, by whom the account is, beside what was agreed to before. */
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
