import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import type { NormalizedDriver } from '../../../domain/models/driver.ts'
import { normalizePhone } from '../../mapping/phone-numbers.ts'
import { toLicense } from '../../mapping/license.ts'
import type { ReaderState } from '../../provider.ts'
import { id, references, text } from '../schema-types.ts'
import { listReader, listPageAfter } from '../paged-readers.ts'
import { lifecycleFields, lifecycleOf, lifecycleStatusOf } from './lifecycle.ts'

export const user = z.looseObject({
  id,
  name: text,
  firstName: text,
  lastName: text,
  phoneNumber: text,
  licenseNumber: text,
  licenseProvince: text,
  driverGroups: references,
  timeZoneId: text,
  ...lifecycleFields,
})

/** Email address of a user; null if unknown. MyGeotab has no field for it, but many user names are email addresses. */
export const emailOf = ({ name }: z.infer<typeof user>): string | null => (name?.includes('@') ? name : null)

export const driverReader = listReader({
  typeName: 'User',
  search: { isDriver: true },
  shape: user,
  toNormalized: (driver, asOf): NormalizedDriver => ({
    sourceId: driver.id,
    ...lifecycleOf(driver, asOf),
    status: lifecycleStatusOf(driver, asOf),
    firstName: driver.firstName,
    middleName: null,
    lastName: driver.lastName,
    email: emailOf(driver),
    phone: normalizePhone(driver.phoneNumber),
    username: driver.name,
    license: toLicense(driver.licenseNumber, driver.licenseProvince),
    groupSourceIds: driver.driverGroups,
  }),
})

/** Default page size, for data that is requested per driver. */
const DRIVERS_PER_PAGE = 50

/** Reads the next page of drivers, in the order of their ids. Also returns the reader state for the page after it. */
export async function driversAfter(api: ProviderApi, state: ReaderState, pageSize = DRIVERS_PER_PAGE) {
  const { found, after } = await listPageAfter(api, 'User', { isDriver: true }, state?.['after'], pageSize)
  return { drivers: found, next: after === null ? null : { after } }
}
