import { ProviderError } from '../../providers/provider-error.ts'
import type { ReaderState } from '../../providers/provider.ts'

/**
 * Creates a guard that throws at a position that a reader has passed before. Without it, a faulty provider could cause
 * an endless loop. The guard remembers one position at a time, each for twice as many pages as the previous one. It
 * therefore detects a loop of any length.
 */
export function createLoopGuard(): (position: ReaderState) => void {
  let [known, pages, until] = ['', 0, 1]
  return (position) => {
    const current = JSON.stringify(position)
    if (current === known)
      throw new ProviderError('malformed', 'the provider returned the position of an earlier page')
    if (++pages < until) return
    known = current
    until *= 2
    pages = 0
  }
}
