import type { Caller } from '../../../auth/caller.ts'
import { type Page, type PageRequest, readPage } from '../../../storage/pagination/pagination.ts'
import type { ListQuery } from '../../../storage/pagination/list-query.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, atLeast, before, equalText, tenantWhere } from '../../../storage/sql/where.ts'
import type { Instant } from '../../../domain/time.ts'
import { idFilter } from '../../schema/id-arguments.ts'
import type { RepositoryDeps } from '../../schema/repository-deps.ts'
import { requireLogAccess } from '../audit/require-log-access.ts'
import { LoggedRequest } from './logged-request.ts'

export interface RequestFilter extends PageRequest {
  readonly requestId?: string | null
  readonly connectionId?: string | null
  readonly errorCode?: string | null
  readonly since?: Instant | null
  readonly until?: Instant | null
}

/** Reads the request log of an application. Requires a secret key with the scope `admin`, or an operator. */
export function requestLogRepository({ db, cursorKey }: RepositoryDeps, caller: Caller) {
  /** Lists requests, newest first. */
  const requests = async (filter: RequestFilter): Promise<Page<LoggedRequest>> => {
    requireLogAccess(caller, 'request log')
    const list: ListQuery<LoggedRequest> = {
      table: tableOf(LoggedRequest),
      where: and(
        tenantWhere(caller),
        equalText('requestId', filter.requestId),
        idFilter('connection', filter.connectionId),
        equalText('errorCode', filter.errorCode),
        atLeast('at', filter.since),
        before('at', filter.until),
      ),
      order: ['at', 'id'],
      descending: true,
    }
    return readPage(db, list, filter, cursorKey)
  }
  return {
    requests,
    /** Returns the newest request with a request id. Null if the application has none. */
    async request(requestId: string): Promise<LoggedRequest | null> {
      const { rows } = await requests({ requestId, first: 1 })
      return rows[0] ?? null
    },
  }
}
