import type { PublicError } from '../domain/errors.ts'

/** How it is heard of that somebody's access has ended; who has none any more is refused. */
export type OpenAccess = (ended: (why: PublicError) => void) => Promise<() => void> | undefined

/** The events of a stream until its reader's access ends: that fails the next one at once, and so tells the reader why. */
export async function revocableStream<Event>(
  events: AsyncIterator<Event>,
  open: OpenAccess,
): Promise<AsyncIterator<Event>> {
  let why: PublicError | null = null
  let waiting: ((why: PublicError) => void) | null = null
  let stop: (() => void) | undefined
  const leave = async (): Promise<IteratorResult<Event>> => {
    stop?.()
    await events.return?.()
    return { done: true, value: undefined }
  }
  const ended = (reason: PublicError) => {
    why = reason
    waiting?.(reason)
  }
  try {
    stop = await open(ended)
  } catch (error) {
    await leave()
    throw error
  }
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (why) return void reject(why)
        waiting = reject
        events.next().then(resolve, reject)
      }),
    return: leave,
  }
}
