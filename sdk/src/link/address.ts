import { LinkError } from './outcome.ts'

/** Where and how the link pages are shown. */
export interface LinkRun {
  /** Where the link pages are, such as https://link.example.com. */
  readonly linkUrl: string
  /** pk_…: it may be seen by anyone. */
  readonly publishableKey: string
  /** Over this page, or in a window of their own; frame unless told. */
  readonly mode?: 'frame' | 'window'
  /** What the frame is put into, in place of a dialog over the page. */
  readonly container?: HTMLElement
  /** What a screen reader and the close button say; English unless told. */
  readonly labels?: { readonly dialog?: string; readonly close?: string }
  /** Handed back as it is where the fleet is redirected. */
  readonly state?: string
  readonly redirectUrl?: string
  /** Closes the pages; the promise is rejected with its reason. */
  readonly signal?: AbortSignal
}

export interface LinkOptions extends LinkRun {
  /** The company's name. */
  readonly name?: string
  /** The provider's code, where the fleet is not to choose. */
  readonly provider?: string
  /** Your own identifier of the connection. */
  readonly externalId?: string
  /** Your own labels of it; none has a comma. */
  readonly tags?: readonly string[]
  readonly syncMode?: 'automatic' | 'manual'
  /** How far back the first sync reads: so many days, or from a moment. */
  readonly backfill?: { readonly days: number } | { readonly startFrom: string | Date }
}

export interface ReconnectOptions extends LinkRun {
  /** conn_…: the fleet signs in to the same account. */
  readonly connectionId: string
}

type Parameters = Readonly<Record<string, string | undefined>>

/** The address at which a fleet links an account. */
export function linkAddress(options: LinkOptions): URL {
  const { name, provider, externalId, tags, syncMode, backfill } = options
  if (tags?.some((tag) => tag.includes(',')))
    throw new LinkError('bad_options', 'No tag may have a comma in it.')
  return addressOf(options, '/', {
    sync_mode: syncMode,
    name,
    external_id: externalId,
    tags: tags?.join(','),
    provider,
    ...backfillOf(backfill),
  })
}

/** The address at which it signs in again. */
export const reconnectAddress = (options: ReconnectOptions): URL =>
  addressOf(options, `/connection/${encodeURIComponent(options.connectionId)}`, {})

function backfillOf(backfill: LinkOptions['backfill']): Parameters {
  if (!backfill) return {}
  if ('days' in backfill) return { backfill_days: String(backfill.days) }
  const { startFrom } = backfill
  return { backfill_start_from: typeof startFrom === 'string' ? startFrom : startFrom.toISOString() }
}

function addressOf(run: LinkRun, path: string, more: Parameters): URL {
  const { linkUrl, publishableKey, redirectUrl, state } = run
  if (!publishableKey.startsWith('pk_'))
    throw new LinkError(
      'bad_options',
      'Give a publishable key, pk_…: a secret key has no place in a browser.',
    )
  const address = new URL(linkUrl.replace(/\/+$/, '') + path)
  const parameters: Parameters = { key: publishableKey, ...more, redirect_url: redirectUrl, state }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) address.searchParams.set(name, value)
  return address
}
