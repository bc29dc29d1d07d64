import type { Instant } from '../time.ts'

/** A record of a page: what the provider sent and what it says in our words. */
export interface Read<Draft> {
  readonly draft: Draft
  readonly raw: unknown
  /** Of what was sent before and is read again: that it stays so. */
  readonly sent?: Sent
}

/** Under which name a provider sent something, and when. */
export interface Sent {
  readonly schemaName: string
  readonly extractedAt: Instant
}
