import { setTimeout as wait } from 'node:timers/promises'
import { Browser, overHttp } from '../../link/browser.ts'
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
  const { shortLink } = await caller.mutate<{ shortLink: { url: string } }>(
    'createShortLink',
    {
      provider: 'sandbox',
      externalId: WORDS[0],
      tags: [WORDS[1]],
      syncMode: 'AUTOMATIC',
      backfill: { days },
      redirectUrl: 'http://127.0.0.1:9/back',
    },
    'shortLink { url }',
  )
  const url = new URL(shortLink.url)
  const browser = new Browser(overHttp, { 'user-agent': BROWSER }, [url.host])
  await browser.open(shortLink.url)
  const runToken = browser.page.url.pathname.split('/').at(-1) ?? ''
  await browser.submit('sign_in', { apiKey })
  await browser.submit('agree', { agreed: 'on' })
  while (!browser.left) {
    await wait(100)
    await browser.reload()
  }
  const publicToken = browser.left.searchParams.get('token') ?? ''
  const { connection } = await caller.mutate<{ connection: { id: string; token: string } }>(
    'exchangePublicToken',
    { publicToken },
    'connection { id token }',
  )
  const secrets = [apiKey, publicToken, runToken, BROWSER]
  return { connectionId: connection.id, token: connection.token, secrets, words: WORDS }
}
