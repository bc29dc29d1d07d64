import type { Driver } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { isMetricDriver } from '../company.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { dutyTypeOf } from '../records/duties.ts'
import { toPreciseTime, toTime, toZoneName } from '../formats.ts'

/** Administrator of the fleet, who is no driver. */
const ADMIN = { id: 100_001, first_name: 'Addison', last_name: 'Hahn', role: 'admin', status: 'active' }

interface Row {
  readonly role: string
  readonly status: string
  readonly format: () => object
}

/** `/v1/users`: all users, optionally of one role or status. */
export function listUsers(request: FakeRequest): object {
  const [role, status] = [request.query.get('role'), request.query.get('status')]
  const drivers = request.company.drivers().filter(({ updatedAt }) => request.isChanged(updatedAt))
  const rows = [...admins(request), ...drivers.map((driver) => rowOf(request, driver))]
  const wanted = rows.filter(
    (row) => (role === null || row.role === role) && (status === null || row.status === status),
  )
  return pageOf(request, { list: 'users', item: 'user' }, wanted, ({ format }) => format())
}

function admins(request: FakeRequest): Row[] {
  const at = request.company.world.startsAt
  if (!request.isChanged(at)) return []
  const email = 'dispatch@meridian.example'
  const user = { ...ADMIN, email, created_at: toTime(at), updated_at: toPreciseTime(at) }
  return [{ ...ADMIN, format: () => user }]
}

const statusOf = ({ isActive }: Driver): string => (isActive ? 'active' : 'deactivated')

const rowOf = (request: FakeRequest, driver: Driver): Row => ({
  role: 'driver',
  status: statusOf(driver),
  format: () => toUser(request, driver),
})

const toUser = (request: FakeRequest, driver: Driver) => ({
  id: id('user', driver.number),
  email: driver.email,
  first_name: driver.firstName,
  last_name: driver.lastName,
  phone: driver.phone,
  phone_ext: null,
  time_zone: toZoneName(request.company.world.account.timeZone),
  role: 'driver',
  status: statusOf(driver),
  metric_units: request.isMetric(isMetricDriver(driver.number)),
  username: driver.username,
  cycle: '70_8',
  driver_company_id: null,
  minute_logs: true,
  eld_mode: 'logs',
  drivers_license_number: driver.licenseNumber,
  drivers_license_state: driver.licenseState,
  yard_moves_enabled: true,
  personal_conveyance_enabled: true,
  ...(request.is('groupIds', 'sent') && { group_ids: driver.groups.map((group) => id('group', group)) }),
  duty_status: dutyTypeOf(request, request.company.world.clocks(driver.number).duty),
  created_at: toTime(driver.createdAt),
  updated_at: toPreciseTime(driver.updatedAt),
})
