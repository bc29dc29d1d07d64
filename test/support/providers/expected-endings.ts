import { toIso } from '../../../src/domain/time.ts'
import type { Fault } from '../../fakes/kit/faults.ts'

/** State after a sync. */
export interface Ending {
  readonly sync: 'completed' | 'failed'
  readonly failureReason: string | null
  readonly connection: 'connected' | 'disconnected'
  /** Messages of the unresolved issues. */
  readonly issues: readonly string[]
}

export const completed: Ending = {
  sync: 'completed',
  failureReason: null,
  connection: 'connected',
  issues: [],
}

export const failed = (failureReason: string): Ending => ({ ...completed, sync: 'failed', failureReason })

/** Returns the ending after invalid responses for one model; the other models are read. */
export const brokenAt = (model: string, why: string): Ending => failed(`${model} could not be read: ${why}`)

export const refused: Ending = {
  ...failed('The provider no longer accepts the credentials.'),
  connection: 'disconnected',
}

export const issue = (...issues: readonly string[]): Ending => ({ ...completed, issues })

/**
 * Endings of two syncs. The second leaves the issues of the first open, because it does not read the whole window
 * again.
 */
export const lastingIssues = (
  ...messages: readonly string[]
): { readonly ends: Ending; readonly next: Ending } => ({
  ends: issue(...messages),
  next: issue(...messages),
})

/** A provider failure, and the sync endings that it causes. */
export interface ProviderFailure {
  readonly name: string
  readonly faults: readonly Fault[]
  /** Behaviours of the fake during the failure. */
  readonly behaviours?: Readonly<Record<string, string>>
  /** Whether the failure starts at the second sync; the first one succeeds. */
  readonly later?: boolean
  readonly ends: Ending
  /** Models that the failed sync does not read. If set, it reads all others. */
  readonly unread?: readonly string[]
  /** Ending of the next sync, if the failure still affects it. */
  readonly next?: Ending
}

export const notPermitted = (model: string, provider: string): string =>
  `No ${model} records are read: ${provider} does not permit it to this account. Extend the permissions of its credentials at ${provider}.`

export const readWithout = (model: string, lacking: string, provider: string): string =>
  `${model} records are read without ${lacking}: ${provider} does not permit it to this account. Extend the permissions of its credentials at ${provider}.`

/** Start of the first window that the failure suites read: two days before their clock. */
export const FIRST_READ_FROM = Date.parse('2026-06-13T18:00:00.000Z')

/** Message about unreadable records. With the start of their window, it explains how to read them again. */
export const unreadable = (count: number, model: string, provider: string, readFrom?: number): string =>
  `${count} ${model} ${count === 1 ? 'record was' : 'records were'} left out: ${provider} sent them in a form that cannot be read. Correct them at ${provider}${readFrom === undefined ? '' : ` and start a sync with startFrom ${toIso(readFrom)}`}, or report this issue by its id.`

/** Message about one record that is stored without some of its values. */
export const impossibleValues = (model: string, fields: string, provider: string, readFrom: number): string =>
  `1 ${model} record was stored without their impossible values (${fields}). Correct them at ${provider} and start a sync with startFrom ${toIso(readFrom)}, or report this issue by its id.`
