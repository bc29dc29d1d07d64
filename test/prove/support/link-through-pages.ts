import { setTimeout as wait } from 'node:timers/promises'
import { Browser, overHttp } from '../../support/link/http-browser.ts'
import type { Caller } from '../deletion/caller.ts'

/** Input of a fleet on the hosted pages. */
export interface Guest {
  readonly provider: string
  /** Sign-in method; the first one by default. */
  readonly way?: string
  /** Values that it enters there. */
  readonly typed: Readonly<Record<string, string>>
  readonly userAgent?: string
}

/** Input of the integrator's short link. */
interface LinkInput {
  readonly externalId?: string
  readonly tags?: readonly string[]
  readonly syncMode: 'AUTOMATIC' | 'MANUAL'
  readonly backfill: { readonly days: number } | { readonly startFrom: string }
}

interface Linked {
  readonly connectionId: string
  readonly token: string
  readonly publicToken: string
  readonly runToken: string
}

const REDIRECT_URL = 'http://127.0.0.1:9/back'
const LOOK_MS = 100

/**
 * Creates a short link, goes through its pages as a fleet without scripts does, and exchanges the public
 * token.
 */
export async function linkThroughPages(caller: Caller, guest: Guest, input: LinkInput): Promise<Linked> {
  const { provider, way, typed, userAgent = 'Browser of a fleet' } = guest
  const { shortLink } = await caller.mutate<{ shortLink: { url: string } }>(
    'createShortLink',
    { provider, redirectUrl: REDIRECT_URL, ...input },
    'shortLink { url }',
  )
  const browser = new Browser(overHttp, { 'user-agent': userAgent }, [new URL(shortLink.url).host])
  await browser.open(shortLink.url)
  const runToken = browser.page.url.pathname.split('/').at(-1) ?? ''
  if (way !== undefined) await browser.submit('way', { way })
  await browser.submit('sign_in', typed)
  await browser.submit('agree', { agreed: 'on' })
  const publicToken = await tokenOf(browser)
  const { connection } = await caller.mutate<{ connection: { id: string; token: string } }>(
    'exchangePublicToken',
    { publicToken },
    'connection { id token }',
  )
  return { connectionId: connection.id, token: connection.token, publicToken, runToken }
}

/** Waits on the page until the account is checked. */
async function tokenOf(browser: Browser): Promise<string> {
  while (!browser.externalRedirect) {
    if (browser.step !== 'checking')
      throw new Error(`the sign-in ended at ${browser.step}: ${browser.page.html}`)
    await wait(LOOK_MS)
    await browser.reload()
  }
  return browser.externalRedirect.searchParams.get('token') ?? ''
}
