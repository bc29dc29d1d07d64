import { stateNames } from '../../world/roster/names.ts'
import type { Driver, Group } from '../../world/truth.ts'
import type { ListedEntity } from '../stores/snapshot-store.ts'
import {
  COMPANY_GROUP,
  dateTime,
  type Entity,
  FOREVER,
  groupId,
  shortId,
  userId,
  versionText,
} from '../formats.ts'
import { activeTo } from './device.ts'
import type { Fleet } from '../fleet/fleet.ts'

/** Returns the users: the drivers, and one office user who does not drive. */
export const users = (fleet: Fleet): ListedEntity[] => [
  ...fleet
    .drivers()
    .map((driver): ListedEntity => [userId(driver.number), (version) => toDriver(fleet, driver, version)]),
  [OFFICE_USER, (version) => toOfficeUser(fleet, version)],
]

const OFFICE_USER = shortId(0xff_ff_01)

/** Returns the sign-in name: the email address of most users, the username of others. */
export const loginOf = ({ number, email, username }: Driver): string => (number % 3 === 0 ? username : email)

/** Returns a phone number as a user enters it, sometimes without the country code. */
const enteredPhoneOf = ({ number, phone }: Driver): string =>
  phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, number % 4 === 0 ? '$1-$2-$3' : '+1 ($1) $2-$3')

const toDriver = (fleet: Fleet, driver: Driver, version: number): Entity => ({
  ...settings(fleet),
  activeFrom: dateTime(driver.createdAt),
  activeTo: activeTo(fleet, driver),
  driverGroups: driver.groups.map((group) => ({ id: groupId(group) })),
  employeeNo: `E${driver.number}`,
  firstName: driver.firstName,
  id: userId(driver.number),
  isDriver: true,
  keys: [],
  lastName: driver.lastName,
  licenseNumber: driver.licenseNumber,
  licenseProvince: driver.number % 4 === 0 ? stateNames[driver.licenseState] : driver.licenseState,
  name: loginOf(driver),
  phoneNumber: enteredPhoneOf(driver),
  version: versionText(version),
  viewDriversOwnDataOnly: true,
})

const toOfficeUser = (fleet: Fleet, version: number): Entity => ({
  ...settings(fleet),
  activeFrom: dateTime(fleet.world.startsAt),
  activeTo: FOREVER,
  employeeNo: '',
  firstName: 'Dispatch',
  id: OFFICE_USER,
  isDriver: false,
  lastName: 'Office',
  name: 'dispatch@fleet.example',
  phoneNumber: '',
  version: versionText(version),
})

const settings = ({ timeZone }: Fleet) => ({
  companyGroups: [{ id: COMPANY_GROUP }],
  securityGroups: [{ id: 'GroupNothingSecurityId', name: '**NothingSecurity**' }],
  isMetric: true,
  fuelEconomyUnit: 'LitersPer100Km',
  dateFormat: 'MM/dd/yy HH:mm:ss',
  timeZoneId: timeZone,
  language: 'en',
  defaultPage: 'map',
  hosRuleSet: 'America8Day',
})

/** Returns the groups: the company is the root, and each group lists its children. */
export function groups({ world }: Fleet): ListedEntity[] {
  const existing = world.groups().filter(({ removedAt }) => removedAt === null)
  const childrenOf = (parent: number | null) =>
    existing.filter((group) => group.parent === parent).map(({ number }) => ({ id: groupId(number) }))
  return [
    [COMPANY_GROUP, () => toGroup(COMPANY_GROUP, 'Company Group', childrenOf(null))],
    ...existing.map((group): ListedEntity => [
      groupId(group.number),
      () => toFleetGroup(group, childrenOf(group.number)),
    ]),
  ]
}

const toFleetGroup = ({ number, name }: Group, children: readonly Entity[]) =>
  toGroup(groupId(number), name, children)

const toGroup = (id: string, name: string, children: readonly Entity[]): Entity => ({
  id,
  name,
  children,
  color: { r: 0, g: 0, b: 0, a: 255 },
  comments: '',
  reference: '',
  isGlobalReportingGroup: false,
})
