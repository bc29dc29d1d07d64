import type { Fault } from '../../fakes/kit/faults.ts'

/** State after a sync. */
export interface Ending {
  readonly sync: 'completed' | 'failed'
  readonly failureReason: string | null
  readonly connection: 'connected' | 'disconnected'
  /** Messages of the unresolved issues. */
  readonly issues: readonly string[]
}

export const whole: Ending = { sync: 'completed', failureReason: null, connection: 'connected', issues: [] }

export const failed = (failureReason: string): Ending => ({ ...whole, sync: 'failed', failureReason })

/** Returns the ending after invalid responses for one model; the other models are read. */
export const brokenAt = (model: string, why: string): Ending => failed(`${model} could not be read: ${why}`)

export const refused: Ending = {
  ...failed('The provider no longer accepts the credentials.'),
  connection: 'disconnected',
}

export const issue = (...issues: readonly string[]): Ending => ({ ...whole, issues })

/** A provider failure, and the sync endings that it causes. */
export interface ProviderFailure {
  readonly name: string
  readonly faults: readonly Fault[]
  /** Behaviours of the fake during the failure. */
  readonly behaves?: Readonly<Record<string, string>>
  /** Whether the failure starts at the second sync; the first one succeeds. */
  readonly later?: boolean
  readonly ends: Ending
  /** Models that the failed sync does not read. If set, it reads all others. */
  readonly unread?: readonly string[]
  /** Ending of the next sync, if the failure still affects it. */
  readonly next?: Ending
}

export const notPermitted = (model: string, provider: string): string =>
  `No ${model} records are read: ${provider} does not permit it to this account. Widen the permissions of its credentials there.`

export const notPermittedWhole = (model: string, lacking: string, provider: string): string =>
  `${model} records are read without ${lacking}: ${provider} does not permit it to this account. Widen the permissions of its credentials there.`

export const unreadable = (count: number, model: string, provider: string): string =>
  `${count} ${model} ${count === 1 ? 'record was' : 'records were'} left out: ${provider} sent them in a form that cannot be read. Correct them there, or report this issue by its id.`
