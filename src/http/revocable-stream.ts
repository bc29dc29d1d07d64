import type { PublicError } from '../domain/errors.ts'

/**
 * Watches the access of a reader and calls `onRevoked` when it ends. Rejects if it has already ended. The
 * result stops the watch.
 */
export type WatchAccess = (onRevoked: (reason: PublicError) => void) => Promise<() => void> | undefined

/**
 * Wraps the events of a stream. When the access of the reader ends, `next` rejects at once with the reason.
 */
export async function revocableStream<Event>(
  events: AsyncIterator<Event>,
  watchAccess: WatchAccess,
): Promise<AsyncIterator<Event>> {
  let revocation: PublicError | null = null
  let rejectNext: ((reason: PublicError) => void) | null = null
  let stopWatching: (() => void) | undefined
  const end = async (): Promise<IteratorResult<Event>> => {
    stopWatching?.()
    await events.return?.()
    return { done: true, value: undefined }
  }
  const onRevoked = (reason: PublicError) => {
    revocation = reason
    rejectNext?.(reason)
  }
  try {
    stopWatching = await watchAccess(onRevoked)
  } catch (error) {
    await end()
    throw error
  }
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (revocation) return void reject(revocation)
        rejectNext = reject
        events.next().then(resolve, reject)
      }),
    return: end,
  }
}
