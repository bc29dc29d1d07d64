import type { PublicError } from '../domain/errors.ts'

/**
 * Watches the access of a reader. Calls `onRevoked` when the access ends, and rejects if it has already ended. Resolves
 * to a function that stops watching. Returns undefined if access is not watched.
 */
export type WatchAccess = (onRevoked: (reason: PublicError) => void) => Promise<() => void> | undefined

/**
 * Wraps the events of a stream so that `next` rejects with the reason as soon as the access of the reader ends.
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
