import type { Driver } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { isMetricDriver } from '../company.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { dutyWord } from '../records/duties.ts'
import { toPreciseTime, toTime, toZoneName } from '../wording.ts'

/** Nobody of the world: whoever runs the fleet drives nothing. */
const ADMIN = { id: 100_001, first_name: 'Addison', last_name: 'Hahn', role: 'admin', status: 'active' }

interface Row {
  readonly role: string
  readonly status: string
  readonly tell: () => object
}

/** `/v1/users`: whoever there is, unless one role or status is asked for. */
export function listUsers(asked: Asked): object {
  const [role, status] = [asked.query.get('role'), asked.query.get('status')]
  const drivers = asked.company.drivers().filter(({ updatedAt }) => asked.isChanged(updatedAt))
  const rows = [...admins(asked), ...drivers.map((driver) => rowOf(asked, driver))]
  const wanted = rows.filter(
    (row) => (role === null || row.role === role) && (status === null || row.status === status),
  )
  return pageOf(asked, { list: 'users', item: 'user' }, wanted, ({ tell }) => tell())
}

function admins(asked: Asked): Row[] {
  const at = asked.company.world.startsAt
  if (!asked.isChanged(at)) return []
  const email = 'dispatch@meridian.example'
  const user = { ...ADMIN, email, created_at: toTime(at), updated_at: toPreciseTime(at) }
  return [{ ...ADMIN, tell: () => user }]
}

const statusOf = ({ isActive }: Driver): string => (isActive ? 'active' : 'deactivated')

const rowOf = (asked: Asked, driver: Driver): Row => ({
  role: 'driver',
  status: statusOf(driver),
  tell: () => toUser(asked, driver),
})

const toUser = (asked: Asked, driver: Driver) => ({
  id: id('user', driver.number),
  email: driver.email,
  first_name: driver.firstName,
  last_name: driver.lastName,
  phone: driver.phone,
  phone_ext: null,
  time_zone: toZoneName(asked.company.world.account.timeZone),
  role: 'driver',
  status: statusOf(driver),
  metric_units: asked.isMetric(isMetricDriver(driver.number)),
  username: driver.username,
  cycle: '70_8',
  driver_company_id: null,
  minute_logs: true,
  eld_mode: 'logs',
  drivers_license_number: driver.licenseNumber,
  drivers_license_state: driver.licenseState,
  yard_moves_enabled: true,
  personal_conveyance_enabled: true,
  ...(asked.is('groupIds', 'told') && { group_ids: driver.groups.map((group) => id('group', group)) }),
  duty_status: dutyWord(asked, asked.company.world.clocks(driver.number).duty),
  created_at: toTime(driver.createdAt),
  updated_at: toPreciseTime(driver.updatedAt),
})
