import type { Reader } from '../providers/provider.ts'
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

/** What can be read of a page; what cannot is left out, so that the others are stored. */
export function readsOf<Draft>(
  { toDraft }: Pick<Reader<Draft>, 'toDraft'>,
  records: readonly unknown[],
  asOf: Instant,
  leftOut: (raw: unknown, error: unknown) => void,
): Read<Draft>[] {
  return records.flatMap((raw) => {
    try {
      return [{ draft: toDraft(raw, asOf), raw }]
    } catch (error) {
      leftOut(raw, error)
      return []
    }
  })
}
