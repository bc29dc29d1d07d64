/** Result of a link flow. */
export type LinkOutcome =
  | {
      readonly status: 'linked'
      /** Public token, pub_tkn_…. Your server can exchange it once within half an hour. */
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

/** Frame or window of the link pages. */
export interface LinkView {
  /** Window that may send messages; null if it did not open. */
  source(): Window | null
  close(): void
}
