import type { Driver } from '../../world/truth.ts'
import { notFound, oneOf, type Asked } from '../call.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toTime } from '../wording.ts'
import { asked as askedFor } from './members.ts'
import { tagsOf } from './tags.ts'

export const nameOf = ({ firstName, lastName }: Driver): string => `${firstName} ${lastName}`

/** Those of one status: the active ones unless the others are asked for. */
export function listDrivers(asked: Asked): object {
  const status = oneOf(asked.query, 'driverActivationStatus', ['active', 'deactivated'])
  const drivers = askedFor(asked, asked.organization.drivers()).filter(
    ({ isActive }) => isActive === (status === 'active'),
  )
  const { items, pagination } = pageOf(asked, drivers, ({ number }) => [number])
  return { data: items.map((driver) => toDriver(asked, driver)), pagination }
}

export function getDriver(asked: Asked): object {
  const driver = asked.organization.driver(numberOf('driver', asked.id))
  if (!driver) throw notFound()
  return { data: toDriver(asked, driver) }
}

const toDriver = ({ organization, switches }: Asked, driver: Driver) => ({
  id: id('driver', driver.number),
  name: nameOf(driver),
  username: driver.username,
  phone: switches.phones === 'national' ? driver.phone.replace(/^\+1/, '') : driver.phone,
  licenseNumber: driver.licenseNumber,
  licenseState: driver.licenseState,
  timezone: organization.world.account.timeZone,
  driverActivationStatus: driver.isActive ? 'active' : 'deactivated',
  isDeactivated: !driver.isActive,
  eldExempt: false,
  tags: tagsOf(organization, driver.groups),
  createdAtTime: toTime(driver.createdAt, switches),
  updatedAtTime: toTime(driver.updatedAt, switches),
})
