import { linkThroughPages } from '../support/link-through-pages.ts'
import type { Caller } from './caller.ts'

/** A linked fleet, with the texts that it and its integrator entered. */
export interface LinkedFleet {
  readonly connectionId: string
  readonly token: string
  /** Texts that the deletion must remove. */
  readonly secrets: readonly string[]
  /** Texts of the integrator, which are kept. */
  readonly integratorTexts: readonly string[]
}

const BROWSER = 'Browser of the deleted fleet'
const INTEGRATOR_TEXTS = ['fleet-that-goes', 'tag-of-the-fleet'] as const

/** Creates a short link and goes through its pages as a fleet does. */
export async function linkFleet(caller: Caller, apiKey: string, days: number): Promise<LinkedFleet> {
  const guest = { provider: 'sandbox', typed: { apiKey }, userAgent: BROWSER }
  const { connectionId, token, publicToken, runToken } = await linkThroughPages(caller, guest, {
    externalId: INTEGRATOR_TEXTS[0],
    tags: [INTEGRATOR_TEXTS[1]],
    syncMode: 'AUTOMATIC',
    backfill: { days },
  })
  return {
    connectionId,
    token,
    secrets: [apiKey, publicToken, runToken, BROWSER],
    integratorTexts: INTEGRATOR_TEXTS,
  }
}
