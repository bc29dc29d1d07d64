import type { Asked } from '../asked.ts'
import { pageOf } from '../pages.ts'
import { toZoneName } from '../wording.ts'

/** `/v1/companies`: the one that the credential is of. */
export const listCompanies = (asked: Asked): object =>
  pageOf(asked, { list: 'companies', item: 'company' }, [asked.company.world.account], (account) => ({
    id: account.number,
    company_id: `KT-${account.number}`,
    name: account.name,
    dot_ids: asked.is('dotIds', 'told') ? [String(account.usdotNumber)] : [],
    time_zone: toZoneName(account.timeZone),
    metric_units: false,
    subscription_plan: 'enterprise',
  }))
