import { drawPurpose, drawsOf, oneOf, wholeBetween } from '../draws.ts'
import { groupCount } from './groups.ts'
import { editsBy, isActive, memberAt } from '../lifetimes.ts'
import { firstNames, lastNames, states, trailerMakes } from './names.ts'
import type { Seeded } from '../options.ts'
import { plateOf, vinOf } from './plates.ts'
import type { Roster } from './roster.ts'
import type { Account, Driver, Ms, Trailer } from '../truth.ts'

export const accountOf = ({ seed, options }: Seeded): Account => ({
  number: 1000 + (seed % 9000),
  name: `Meridian Freight ${seed}`,
  usdotNumber: 1_000_000 + ((seed * 7919) % 3_000_000),
  timeZone: options.timeZone,
})

export function driverAt(number: number, roster: Roster, seeded: Seeded, at: Ms): Driver {
  const life = roster.driverLife(number)
  const edits = editsBy(life, at)
  const draw = drawsOf(seeded.seed, drawPurpose.person, number)
  const [firstName, maidenName] = [oneOf(draw, firstNames), oneOf(draw, lastNames)]
  const digits = String(wholeBetween(draw, 0, 9_999_999)).padStart(7, '0')
  const username = `${plain(firstName)}.${plain(maidenName)}.${number}`
  return {
    ...memberAt(number, life, at),
    firstName,
    lastName: edits === 0 ? maidenName : (lastNames[(number + edits) % lastNames.length] as string),
    username,
    email: `${username}@meridian.example`,
    phone: `+1${oneOf(draw, ['312', '415', '503', '615', '913'])}${2 + (number % 8)}${digits.slice(1)}`,
    licenseNumber: `D${digits}${number % 10}`,
    licenseState: oneOf(draw, states),
    isActive: isActive(life, at),
    groups: [1 + (number % groupCount(seeded.vehicles))],
  }
}

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()

export function trailerAt(number: number, roster: Roster, seeded: Seeded, at: Ms): Trailer {
  const draw = drawsOf(seeded.seed, drawPurpose.trailer, number)
  const { createdAt } = roster.vehicleLife(roster.towingVehicleOf(number))
  const [make, model] = oneOf(draw, trailerMakes)
  return {
    ...memberAt(number, { createdAt, removedAt: Infinity, activityChanges: [], edits: [] }, at),
    name: `Trailer ${300 + number}`,
    vin: vinOf(draw, number),
    make,
    model,
    year: wholeBetween(draw, 2012, 2025),
    plate: plateOf(draw, number),
    plateState: oneOf(draw, states),
    groups: [1 + (number % groupCount(seeded.vehicles))],
  }
}
