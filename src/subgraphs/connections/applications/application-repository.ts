import type { Caller } from '../../../auth/caller.ts'
import { type Page, readPage, type PageRequest } from '../../../storage/pagination/pagination.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { tenantWhere } from '../../../storage/sql/where.ts'
import type { RepositoryDeps } from '../../schema/repository-deps.ts'
import { ApiKey, type Application } from './application.ts'
import { findApplication } from './lock-application.ts'
import { requireAdmin } from './require-admin.ts'

const keys = tableOf(ApiKey)

/** Reads the application of a caller and its keys. Requires the scope `admin`. */
export const applicationRepository = ({ db, cursorKey }: RepositoryDeps, caller: Caller) => ({
  async application(): Promise<Application> {
    requireAdmin(caller)
    return findApplication(db, caller.applicationId)
  },
  async keys(request: PageRequest): Promise<Page<ApiKey>> {
    requireAdmin(caller)
    return readPage(db, { table: keys, where: tenantWhere(caller), order: ['id'] }, request, cursorKey)
  },
})
