import type { Instant } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import type { OwnQuotas, QuotaName } from '../../tables/application-quotas.ts'
import { operatorActor, recordAudit } from '../../tables/audit-log.ts'
import type { Application } from './application.ts'
import { lockApplication } from './lock-application.ts'

/** New quotas of an application. Null restores the default; absent ones stay unchanged. */
export type QuotaChanges = Partial<Record<QuotaName, number | null>>

/** Sets the quotas of an application. Only operators do: a key could otherwise raise its own limits. */
export async function setQuotas(
  db: Pick<Database, 'transaction'>,
  applicationId: string,
  changes: QuotaChanges,
  at: Instant,
): Promise<Application> {
  return db.transaction(async (tx) => {
    const before = await lockApplication(tx, applicationId)
    const own = Object.entries({ ...before.quotas, ...changes }).filter(([, limit]) => limit !== null)
    const quotas = own.length === 0 ? null : (Object.fromEntries(own) as OwnQuotas)
    if (JSON.stringify(quotas) === JSON.stringify(before.quotas)) return before
    await tx.run('UPDATE `applications` SET `quotas` = ? WHERE `id` = ?', [
      JSON.stringify(quotas),
      applicationId,
    ])
    await recordAudit(
      tx,
      { applicationId, actor: operatorActor, at },
      { action: 'application.quotas_set', targetId: applicationId, detail: { ...changes } },
    )
    return { ...before, quotas }
  })
}
