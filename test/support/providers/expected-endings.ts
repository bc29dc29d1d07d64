import type { Fault } from '../../fakes/kit/faults.ts'

/** What is left when a sync has ended. */
export interface Ending {
  readonly sync: 'completed' | 'failed'
  readonly failureReason: string | null
  readonly connection: 'connected' | 'disconnected'
  /** The messages of the issues that are not resolved. */
  readonly issues: readonly string[]
}

export const whole: Ending = { sync: 'completed', failureReason: null, connection: 'connected', issues: [] }

export const failed = (failureReason: string): Ending => ({ ...whole, sync: 'failed', failureReason })

/** What was answered for one kind of record was wrong; the others were read all the same. */
export const brokenAt = (model: string, why: string): Ending => failed(`${model} could not be read: ${why}`)

export const refused: Ending = {
  ...failed('The provider no longer accepts the credentials.'),
  connection: 'disconnected',
}

export const issue = (...issues: readonly string[]): Ending => ({ ...whole, issues })

/** What goes wrong, and what is left of it. */
export interface ProviderFailure {
  readonly name: string
  readonly faults: readonly Fault[]
  /** How the fake behaves instead. */
  readonly behaves?: Readonly<Record<string, string>>
  /** It befalls the second sync; the first one is as it should be. */
  readonly later?: boolean
  readonly ends: Ending
  /** The kinds of records that were not read then; where it says so, all others were. */
  readonly unread?: readonly string[]
  /** How the sync after it ends, where that still has some of it. */
  readonly next?: Ending
}

export const notPermitted = (model: string, provider: string): string =>
  `No ${model} records are read: ${provider} does not permit it to this account. Widen the permissions of its credentials there.`

export const notPermittedWhole = (model: string, lacking: string, provider: string): string =>
  `${model} records are read without ${lacking}: ${provider} does not permit it to this account. Widen the permissions of its credentials there.`

export const unreadable = (count: number, model: string, provider: string): string =>
  `${count} ${model} ${count === 1 ? 'record was' : 'records were'} left out: ${provider} sent them in a form that cannot be read. Correct them there, or report this issue by its id.`
