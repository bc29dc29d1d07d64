/** How a link run ended. */
export type LinkOutcome =
  | {
      readonly status: 'linked'
      /** pub_tkn_…: good once, for half an hour, at your server. */
      readonly publicToken: string
    }
  | { readonly status: 'cancelled' }

export class LinkError extends Error {
  override readonly name = 'LinkError'

  constructor(
    readonly code: 'blocked' | 'bad_options',
    message: string,
  ) {
    super(message)
  }
}

/** What the link pages are shown in. */
export interface Shown {
  /** The window that may send messages; null where it was not opened. */
  source(): Window | null
  close(): void
}
