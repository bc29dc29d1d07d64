import {
  driverCount,
  driverIsActive,
  type Fleet,
  removedCount,
  vehicleOfDriver,
  WORLD_START_MS,
} from '../world/fleet.ts'
import { DAY_MS } from '../world/durations.ts'
import { between, dice, digits, pick } from '../world/random.ts'
import { terminalOf } from '../world/road-network/terminals.ts'
import { domainOf } from './account.ts'
import { groupIdsOf } from './groups.ts'
import { idOf } from './ids.ts'
import { FIRST_NAMES, LAST_NAMES } from './names.ts'
import { editTimes, removedMsOf, type Roster } from './roster.ts'
import type { World } from './world.ts'

export interface DriverRecord {
  id: string
  status: 'active' | 'inactive'
  firstName: string
  middleName: string | null
  lastName: string
  email: string | null
  phone: string | null
  username: string
  license: { state: string; number: string } | null
  groupIds: string[]
  removedAt: string | null
  createdAt: string
  updatedAt: string
}

const firstNameDice = dice('first name of a driver')
const middleNameDice = dice('middle name of a driver')
const lastNameDice = dice('last name of a driver')
const emailDice = dice('email of a driver')
const phoneDice = dice('phone of a driver')
const licenseDice = dice('license of a driver')
const ageDice = dice('age of a driver')
const editDice = dice('last edit of a driver')

export const drivers: Roster<DriverRecord> = {
  resource: 'drivers',
  count: (fleet) => driverCount(fleet) + removedCount(fleet),
  record: driverRecord,
  renamed: (driver) => ({ ...driver, lastName: `${driver.lastName}-Renamed` }),
}

function driverRecord({ fleet }: World, index: number): DriverRecord {
  const { seed } = fleet
  const firstName = pick(FIRST_NAMES, firstNameDice(seed, index))
  const lastName = pick(LAST_NAMES, lastNameDice(seed, index))
  const username = `${firstName}.${lastName}${index + 1}`.toLowerCase()
  const createdMs = WORLD_START_MS - between(10, 2500, ageDice(seed, index)) * DAY_MS
  return {
    id: idOf('drv', fleet, index),
    status: driverIsActive(fleet, index) ? 'active' : 'inactive',
    firstName,
    middleName: middleNameDice(seed, index) < 0.3 ? pick(FIRST_NAMES, middleNameDice(seed, index, 1)) : null,
    lastName,
    email: emailDice(seed, index) < 0.9 ? `${username}@${domainOf(fleet)}` : null,
    phone: phoneDice(seed, index) < 0.92 ? phoneNumber(seed, index) : null,
    username,
    license: licenseDice(seed, index) < 0.95 ? license(fleet, index) : null,
    groupIds: groupIdsOf(fleet, vehicleOfDriver(fleet, index)),
    ...editTimes(createdMs, removedMsOf('drivers', fleet, index, driverCount(fleet)), editDice(seed, index)),
  }
}

/** Returns a phone number from the range that is reserved for fiction: 555-0100 to 555-0199. */
function phoneNumber(seed: number, index: number): string {
  const areaCode = digits(3, phoneDice(seed, index, 1)).replace(/^1/, '2')
  return `+1${areaCode}55501${digits(2, phoneDice(seed, index, 2))}`
}

function license(fleet: Fleet, index: number) {
  const letter = String.fromCharCode(65 + Math.floor(26 * licenseDice(fleet.seed, index, 1)))
  const { state } = terminalOf(fleet, vehicleOfDriver(fleet, index)).place
  return { state, number: letter + digits(8, licenseDice(fleet.seed, index, 2)) }
}
