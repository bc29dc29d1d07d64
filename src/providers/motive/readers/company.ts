import type { ProviderApi } from '../../provider-api.ts'
import { type Company, companyIn } from '../schemas/company.ts'
import { COMPANY_PATH } from '../error-mapping.ts'
import { timeZoneNamed } from '../time-zones.ts'
import { memoizePerAccount } from '../../http/memoize.ts'

export const fetchCompany = async (api: ProviderApi): Promise<Company> =>
  companyIn(await api.get(COMPANY_PATH))

/** The zone by whose days Motive sums up what vehicles did, whatever zone is asked for. */
export const totalsTimeZone = memoizePerAccount(
  async (api) => timeZoneNamed((await fetchCompany(api)).time_zone) ?? 'UTC',
)
