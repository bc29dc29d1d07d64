import type { ProviderApi } from '../../provider-api.ts'
import { type Company, companyIn, timeZoneNameIn } from '../schemas/company.ts'
import { COMPANY_PATH } from '../error-mapping.ts'
import { toTimeZone } from '../time-zones.ts'
import { memoizePerAccount } from '../../http/memoize.ts'

export const fetchCompany = async (api: ProviderApi): Promise<Company> =>
  companyIn(await api.get(COMPANY_PATH))

/**
 * Time zone of the days and months for which Motive returns sums: that of the company. A time zone in the request has
 * no effect on them.
 */
export const totalsTimeZone = memoizePerAccount(
  async (api) => toTimeZone(timeZoneNameIn(await api.get(COMPANY_PATH))) ?? 'UTC',
)
