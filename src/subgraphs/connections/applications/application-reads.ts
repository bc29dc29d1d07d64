import type { Caller } from '../../../auth/caller.ts'
import { type Page, readPage, type PageRequest } from '../../../storage/page.ts'
import { tableOf } from '../../../storage/table.ts'
import { mine } from '../../../storage/where.ts'
import type { ReadsFrom } from '../../reads.ts'
import { ApiKey, type Application } from './application.ts'
import { findApplication } from './held-application.ts'
import { refuseUnlessAdmin } from './refuse-unless-admin.ts'

const keys = tableOf(ApiKey)

/** The application of a caller and its keys, for whoever may administer them. */
export const applicationReads = ({ db, cursorKey }: ReadsFrom, caller: Caller) => ({
  async application(): Promise<Application> {
    refuseUnlessAdmin(caller)
    return findApplication(db, caller.applicationId)
  },
  async keys(request: PageRequest): Promise<Page<ApiKey>> {
    refuseUnlessAdmin(caller)
    return readPage(db, { table: keys, where: mine(caller), order: ['id'] }, request, cursorKey)
  },
})
