import type { ProviderApi } from '../../api.ts'
import { type Company, companyIn } from '../records/company.ts'
import { WHOSE } from '../refusals.ts'
import { timeZoneNamed } from '../zones.ts'
import { askedOnce } from '../../asked-once.ts'

export const askedCompany = async (api: ProviderApi): Promise<Company> => companyIn(await api.get(WHOSE))

/** The zone by whose days Motive sums up what vehicles did, whatever zone is asked for. */
export const rollupZone = askedOnce(
  async (api) => timeZoneNamed((await askedCompany(api)).time_zone) ?? 'UTC',
)
