import { stateNames } from '../../world/roster/names.ts'
import type { Driver, Group } from '../../world/truth.ts'
import type { Listed } from '../ledger/snapshots.ts'
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

/** Returns the users: drivers, their manager, and the user of the integration. */
export const users = (fleet: Fleet): Listed[] => [
  ...fleet
    .drivers()
    .map((driver): Listed => [userId(driver.number), (version) => toDriver(fleet, driver, version)]),
  [CLERK, (version) => toClerk(fleet, version)],
]

const CLERK = shortId(0xff_ff_01)

/** Returns the sign-in name: mostly the email address, for others a word. */
export const loginOf = ({ number, email, username }: Driver): string => (number % 3 === 0 ? username : email)

/** Returns a phone number as users enter it, some without a country code. */
const written = ({ number, phone }: Driver): string =>
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
  phoneNumber: written(driver),
  version: versionText(version),
  viewDriversOwnDataOnly: true,
})

const toClerk = (fleet: Fleet, version: number): Entity => ({
  ...settings(fleet),
  activeFrom: dateTime(fleet.world.startsAt),
  activeTo: FOREVER,
  employeeNo: '',
  firstName: 'Dispatch',
  id: CLERK,
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
export function groups({ world }: Fleet): Listed[] {
  const reported = world.groups().filter(({ removedAt }) => removedAt === null)
  const childrenOf = (parent: number | null) =>
    reported.filter((group) => group.parent === parent).map(({ number }) => ({ id: groupId(number) }))
  return [
    [COMPANY_GROUP, () => toGroup(COMPANY_GROUP, 'Company Group', childrenOf(null))],
    ...reported.map((group): Listed => [
      groupId(group.number),
      () => toOwnGroup(group, childrenOf(group.number)),
    ]),
  ]
}

const toOwnGroup = ({ number, name }: Group, children: readonly Entity[]) =>
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
