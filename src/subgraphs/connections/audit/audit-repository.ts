import type { Caller } from '../../../auth/caller.ts'
import { type Page, type PageRequest, readPage } from '../../../storage/pagination/pagination.ts'
import type { ListQuery } from '../../../storage/pagination/list-query.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, atLeast, before, equal, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import type { Instant } from '../../../domain/time.ts'
import { AuditEntry } from '../../tables/audit-log.ts'
import type { RepositoryDeps } from '../../schema/repository-deps.ts'
import { requireLogAccess } from './require-log-access.ts'

export interface AuditFilter extends PageRequest {
  readonly action?: string | null
  readonly actorId?: string | null
  readonly targetId?: string | null
  readonly since?: Instant | null
  readonly until?: Instant | null
}

/**
 * Lists the audit log of an application, newest first. Requires a secret key with the scope `admin`, or an operator.
 */
export async function auditLog(
  { db, cursorKey }: RepositoryDeps,
  caller: Caller,
  filter: AuditFilter,
): Promise<Page<AuditEntry>> {
  requireLogAccess(caller, 'audit log')
  const list: ListQuery<AuditEntry> = {
    table: tableOf(AuditEntry),
    where: and(tenantWhere(caller), ...auditConditions(filter)),
    order: ['at', 'id'],
    descending: true,
  }
  return readPage(db, list, filter, cursorKey)
}

/** Returns the conditions of a filter. `since` is included, `until` is not. */
export const auditConditions = (filter: AuditFilter): (Where | null)[] => [
  equal('action', filter.action),
  equal('actorId', filter.actorId),
  equal('targetId', filter.targetId),
  atLeast('at', filter.since),
  before('at', filter.until),
]
