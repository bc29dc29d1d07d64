import type { Duty } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'

const formats: Readonly<Record<Duty, string>> = {
  off: 'off_duty',
  sleeper: 'sleeper',
  driving: 'driving',
  on: 'on_duty',
  waiting: 'waiting',
  yard: 'yard_moves',
  personal: 'personal_conveyance',
}

/** Duty that replaces one without its own word. */
const bases: Readonly<Partial<Record<Duty, Duty>>> = { yard: 'on', personal: 'off' }

export const baseOf = (duty: Duty): Duty => bases[duty] ?? duty

/** Returns the reported duty: yard moves and personal conveyance may have no word of their own. */
export const reportedDuty = (request: FakeRequest, duty: Duty): Duty =>
  request.is('specialDuties', 'own_words') ? duty : baseOf(duty)

export const dutyWord = (request: FakeRequest, duty: Duty): string => formats[reportedDuty(request, duty)]
