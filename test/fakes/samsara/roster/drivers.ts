import type { Driver } from '../../world/truth.ts'
import { notFound, oneOf, type FakeRequest } from '../http/call.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { toTime } from '../formats.ts'
import { selectedMembers } from './members.ts'
import { tagsOf } from './tags.ts'

export const nameOf = ({ firstName, lastName }: Driver): string => `${firstName} ${lastName}`

/** `/fleet/drivers`: active or deactivated drivers. */
export function listDrivers(request: FakeRequest): object {
  const status = oneOf(request.query, 'driverActivationStatus', ['active', 'deactivated'])
  const drivers = selectedMembers(request, request.organization.drivers()).filter(
    ({ isActive }) => isActive === (status === 'active'),
  )
  const { items, pagination } = pageOf(request, drivers, ({ number }) => [number])
  return { data: items.map((driver) => toDriver(request, driver)), pagination }
}

export function getDriver(request: FakeRequest): object {
  const driver = request.organization.driver(numberOf('driver', request.id))
  if (!driver) throw notFound()
  return { data: toDriver(request, driver) }
}

const toDriver = ({ organization, switches }: FakeRequest, driver: Driver) => ({
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
