import type { Duty } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'

const words: Readonly<Record<Duty, string>> = {
  off: 'off_duty',
  sleeper: 'sleeper',
  driving: 'driving',
  on: 'on_duty',
  waiting: 'waiting',
  yard: 'yard_moves',
  personal: 'personal_conveyance',
}

/** What a duty counts as where it has no word of its own. */
const bases: Readonly<Partial<Record<Duty, Duty>>> = { yard: 'on', personal: 'off' }

export const baseOf = (duty: Duty): Duty => bases[duty] ?? duty

/** Moves in a yard and private ones may have no words of their own. */
export const dutyTold = (asked: Asked, duty: Duty): Duty =>
  asked.is('specialDuties', 'own_words') ? duty : baseOf(duty)

export const dutyWord = (asked: Asked, duty: Duty): string => words[dutyTold(asked, duty)]
