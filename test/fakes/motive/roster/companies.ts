import type { FakeRequest } from '../fake-request.ts'
import { pageOf } from '../pages.ts'
import { toZoneName } from '../formats.ts'

/** `/v1/companies`: the company of the credential. */
export const listCompanies = (request: FakeRequest): object =>
  pageOf(request, { list: 'companies', item: 'company' }, [request.company.world.account], (account) => ({
    id: account.number,
    company_id: `KT-${account.number}`,
    name: account.name,
    dot_ids: request.is('dotIds', 'sent') ? [String(account.usdotNumber)] : [],
    time_zone: toZoneName(account.timeZone),
    metric_units: false,
    subscription_plan: 'enterprise',
  }))
