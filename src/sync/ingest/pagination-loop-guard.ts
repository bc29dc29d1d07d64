import { ProviderError } from '../../providers/provider-error.ts'
import type { ReaderState } from '../../providers/provider.ts'

/**
 * Refuses a place where a reader was before: a provider that leads there would be read in a circle for ever. It
 * remembers one place at a time, each for twice as many pages as the one before, so that a circle of any length is found.
 */
export function createLoopGuard(): (place: ReaderState) => void {
  let [known, pages, until] = ['', 0, 1]
  return (place) => {
    const now = JSON.stringify(place)
    if (now === known) throw new ProviderError('malformed', 'the provider leads back to a page before')
    if (++pages < until) return
    known = now
    until *= 2
    pages = 0
  }
}
