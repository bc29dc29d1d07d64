import { LinkError } from './outcome.ts'

/** Address and display options of the link pages. */
export interface LinkRun {
  /** URL of the link pages, such as https://link.example.com. */
  readonly linkUrl: string
  /** Publishable key, pk_…. It may be public. */
  readonly publishableKey: string
  /** Frame over this page (the default), or a separate window. */
  readonly mode?: 'frame' | 'window'
  /** Element for the frame. Without it, a dialog over the page contains the frame. */
  readonly container?: HTMLElement
  /** Labels of the dialog and its close button for screen readers; English by default. */
  readonly labels?: { readonly dialog?: string; readonly close?: string }
  /** Returned unchanged in the redirect. */
  readonly state?: string
  /** URL to which the link pages return the fleet. */
  readonly redirectUrl?: string
  /** When it aborts, the link pages close, and the promise rejects with its reason. */
  readonly signal?: AbortSignal
}

export interface LinkOptions extends LinkRun {
  /** The company's name. */
  readonly name?: string
  /** Code of the provider. With it, the fleet does not choose. */
  readonly provider?: string
  /** Your own identifier of the connection. */
  readonly externalId?: string
  /** Your own labels of the connection, without commas. */
  readonly tags?: readonly string[]
  readonly syncMode?: 'automatic' | 'manual'
  /** Start of the first sync: a number of days back, or a time. */
  readonly backfill?: { readonly days: number } | { readonly startFrom: string | Date }
}

export interface ReconnectOptions extends LinkRun {
  /** Connection id, conn_…. The fleet signs in to the same account. */
  readonly connectionId: string
}

type Parameters = Readonly<Record<string, string | undefined>>

/** Returns the URL at which a fleet links an account. */
export function linkAddress(options: LinkOptions): URL {
  const { name, provider, externalId, tags, syncMode, backfill } = options
  if (tags?.some((tag) => tag.includes(',')))
    throw new LinkError('bad_options', 'A tag must not contain a comma.')
  return addressOf(options, '/', {
    sync_mode: syncMode,
    name,
    external_id: externalId,
    tags: tags?.join(','),
    provider,
    ...backfillOf(backfill),
  })
}

/** Returns the URL at which a fleet signs in again. */
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
      'Give a publishable key, pk_…: a secret key must never be in a browser.',
    )
  const address = new URL(linkUrl.replace(/\/+$/, '') + path)
  const parameters: Parameters = { key: publishableKey, ...more, redirect_url: redirectUrl, state }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) address.searchParams.set(name, value)
  return address
}
