import { ProviderError } from '../../providers/provider-error.ts'
import type { Reader, ReaderState, ReadPage } from '../../providers/provider.ts'
import type { ReadWindow } from './checkpoint.ts'

/** Position of a read within its time window. */
interface ReadPosition {
  readonly state: ReaderState
  readonly readWindow: ReadWindow
}

/** Page, with the position at which it was read. */
export interface PageRead extends ReadPosition {
  readonly page: ReadPage
  /** Whether the read started again with this page. */
  readonly isRestart: boolean
}

/**
 * Reads the page at a position. If the provider refuses the position, because its cursor has expired, the read starts
 * again at the window. A sync starts a read again only once: each page could be refused.
 */
export async function readPageOrRestart(
  { stateForWindow }: Pick<Reader<never>, 'stateForWindow'>,
  position: ReadPosition,
  readAt: (state: ReaderState) => Promise<ReadPage>,
): Promise<PageRead> {
  const { state, readWindow } = position
  try {
    return { ...position, page: await readAt(state), isRestart: false }
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.isRefusal
    if (!isRefused || state === null || readWindow.hasRestarted) throw error
    const start = stateForWindow?.(state, readWindow.window) ?? null
    const page = await readAt(start)
    return { state: start, readWindow: { ...readWindow, hasRestarted: true }, page, isRestart: true }
  }
}
