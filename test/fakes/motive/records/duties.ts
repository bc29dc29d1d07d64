import type { Duty } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'

const dutyTypes: Readonly<Record<Duty, string>> = {
  off: 'off_duty',
  sleeper: 'sleeper',
  driving: 'driving',
  on: 'on_duty',
  waiting: 'waiting',
  yard: 'yard_moves',
  personal: 'personal_conveyance',
}

/** Duty status that replaces one without its own type. */
const bases: Readonly<Partial<Record<Duty, Duty>>> = { yard: 'on', personal: 'off' }

export const baseOf = (duty: Duty): Duty => bases[duty] ?? duty

/** Returns the duty status in the response. Depending on a switch, yard moves and personal conveyance have no type. */
export const sentDutyOf = (request: FakeRequest, duty: Duty): Duty =>
  request.is('specialDuties', 'own_words') ? duty : baseOf(duty)

export const dutyTypeOf = (request: FakeRequest, duty: Duty): string => dutyTypes[sentDutyOf(request, duty)]
