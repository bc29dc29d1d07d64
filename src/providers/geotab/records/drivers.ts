import { z } from 'zod'
import type { ProviderApi } from '../../api.ts'
import type { DriverDraft } from '../../drafts.ts'
import { phoneOf } from '../../phones.ts'
import { plateOf } from '../../states.ts'
import type { ReaderState } from '../../provider.ts'
import { id, references, text } from '../fields.ts'
import { listed, pageAfter } from '../readers.ts'
import { life, lifeOf, statusOf } from './members.ts'

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
  ...life,
})

/** A name to sign in by is an address only of some. */
export const emailOf = ({ name }: z.infer<typeof user>): string | null => (name?.includes('@') ? name : null)

export const driverReader = listed({
  typeName: 'User',
  search: { isDriver: true },
  shape: user,
  toDraft: (driver, asOf): DriverDraft => ({
    sourceId: driver.id,
    ...lifeOf(driver, asOf),
    status: statusOf(driver, asOf),
    firstName: driver.firstName,
    middleName: null,
    lastName: driver.lastName,
    email: emailOf(driver),
    phone: phoneOf(driver.phoneNumber),
    username: driver.name,
    license: plateOf(driver.licenseNumber, driver.licenseProvince),
    groupSourceIds: driver.driverGroups,
  }),
})

/** What is of one driver alone is asked for of so many at once. */
const AT_ONCE = 50

/** Some drivers in the order of their ids, and the place after them. */
export async function driversAfter(api: ProviderApi, state: ReaderState, most = AT_ONCE) {
  const { found, after } = await pageAfter(api, 'User', { isDriver: true }, state?.['after'], most)
  return { drivers: found, next: after === null ? null : { after } }
}
