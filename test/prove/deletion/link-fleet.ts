import { linkThroughPages } from '../link-through-pages.ts'
import type { Caller } from './caller.ts'

/** A fleet that has linked its account, and what it and its integrator have typed in. */
export interface LinkedFleet {
  readonly connectionId: string
  readonly token: string
  /** What nobody may find any more. */
  readonly secrets: readonly string[]
  /** What its integrator calls it: that is kept. */
  readonly words: readonly string[]
}

const BROWSER = 'Browser of the fleet that goes'
const WORDS = ['fleet-that-goes', 'tag-of-the-fleet'] as const

/** Makes a short link and walks the pages that it leads to, as a fleet does. */
export async function linkFleet(caller: Caller, apiKey: string, days: number): Promise<LinkedFleet> {
  const guest = { provider: 'sandbox', typed: { apiKey }, userAgent: BROWSER }
  const { connectionId, token, publicToken, runToken } = await linkThroughPages(caller, guest, {
    externalId: WORDS[0],
    tags: [WORDS[1]],
    syncMode: 'AUTOMATIC',
    backfill: { days },
  })
  return { connectionId, token, secrets: [apiKey, publicToken, runToken, BROWSER], words: WORDS }
}
