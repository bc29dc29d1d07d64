import { type Caller, refuseUnlessKeyAlone } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import { type List, type Page, type PageRequest, readPage } from '../../../storage/page.ts'
import { tableOf } from '../../../storage/table.ts'
import { and, atLeast, before, equal, mine, type Where } from '../../../storage/where.ts'
import type { Instant } from '../../../time.ts'
import { AuditEntry } from '../../audit.ts'
import type { ReadsFrom } from '../../reads.ts'

export interface AuditFilter extends PageRequest {
  readonly action?: string | null
  readonly actorId?: string | null
  readonly targetId?: string | null
  readonly since?: Instant | null
  readonly until?: Instant | null
}

/** What was done in an application, newest first, for whoever has its secret key with the scope `admin`. */
export async function auditLog(
  { db, cursorKey }: ReadsFrom,
  caller: Caller,
  filter: AuditFilter,
): Promise<Page<AuditEntry>> {
  refuseUnlessKeyAlone(caller, 'The entries of the audit log')
  refuseUnlessAdmin(caller)
  const list: List<AuditEntry> = {
    table: tableOf(AuditEntry),
    where: and(mine(caller), ...auditConditions(filter)),
    order: ['at', 'id'],
    descending: true,
  }
  return readPage(db, list, filter, cursorKey)
}

export const auditConditions = (filter: AuditFilter): (Where | null)[] => [
  equal('action', filter.action),
  equal('actorId', filter.actorId),
  equal('targetId', filter.targetId),
  atLeast('at', filter.since),
  before('at', filter.until),
]

/** What is done to the service as a whole stands under no application: nobody at all must not read it. */
function refuseUnlessAdmin({ applicationId, key }: Caller): void {
  if (applicationId !== '' && (key === null || key.scopes?.includes('admin'))) return
  throw new PublicError('forbidden', 'The key has no scope admin.', {
    detail: 'The audit log is read with a key that was given this scope.',
  })
}
