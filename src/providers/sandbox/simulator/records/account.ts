import type { Fleet } from '../world/fleet.ts'
import { dice, digits, pick } from '../world/random.ts'
import { terminalAt } from '../world/road-network/terminals.ts'
import { FIRST_NAMES, LAST_NAMES } from './names.ts'
import { idOf } from './ids.ts'

const NAMES = [
  'Northgate',
  'Blue Mesa',
  'Prairie Star',
  'Ironwood',
  'Great Lakes',
  'Redbird',
  'Summit',
  'Tidewater',
]
const TRADES = ['Freight', 'Logistics', 'Transport', 'Carriers', 'Hauling', 'Express']

const nameDice = dice('company name')
const usdotDice = dice('usdot number')
const userDice = dice('account user')

export function accountRecord(fleet: Fleet) {
  const { seed } = fleet
  const name = companyName(fleet)
  const firstName = pick(FIRST_NAMES, userDice(seed, 0))
  const lastName = pick(LAST_NAMES, userDice(seed, 1))
  return {
    id: idOf('acc', fleet),
    name,
    usdotNumbers: usdotNumbers(seed),
    timeZone: terminalAt(fleet, 0).corridor.timeZone,
    user: {
      id: idOf('usr', fleet),
      firstName,
      lastName,
      email: `${firstName}@${domainOf(fleet)}`.toLowerCase(),
    },
  }
}

/** Returns the company's mail domain. No mail reaches it, because the top-level domain `example` is reserved. */
export function domainOf(fleet: Fleet): string {
  return `${companyName(fleet).toLowerCase().replaceAll(' ', '-')}.example`
}

function companyName({ seed }: Fleet): string {
  return `${pick(NAMES, nameDice(seed, 0))} ${pick(TRADES, nameDice(seed, 1))}`
}

function usdotNumbers(seed: number): string[] {
  const count = usdotDice(seed, 0) < 0.7 ? 1 : 2
  return Array.from({ length: count }, (_, i) => digits(7, usdotDice(seed, 1, i)))
}
