/** Stream of rows that a client can resume after any of them. */
export interface ResumableStream {
  /** Returns the id of the row after which the stream starts; null if the stream starts with the first row. */
  idBeforeStart(): Promise<string | null>
}

/**
 * Async iterator over new rows of a table; a notification triggers the next query. It queries only when the consumer
 * calls `next`, so a slow consumer uses no extra memory. `return` ends it at once, even while it waits. The row for
 * which `isLast` is true also ends it.
 */
export function notifiedStream<Row>(
  subscribe: (listener: () => void) => () => void,
  readNew: () => Promise<readonly Row[]>,
  isLast: (row: Row) => boolean = () => false,
): AsyncIterableIterator<Row> {
  let isNotified = true
  let isOpen = true
  let resumeWaiting: (() => void) | null = null
  let rows: Row[] = []
  const wake = () => {
    resumeWaiting?.()
    resumeWaiting = null
  }
  const stopListening = subscribe(() => {
    isNotified = true
    wake()
  })
  const close = () => {
    isOpen = false
    stopListening()
    wake()
  }
  const next = async (): Promise<IteratorResult<Row>> => {
    while (isOpen) {
      const row = rows.shift()
      if (row !== undefined) {
        if (isLast(row)) close()
        return { done: false, value: row }
      }
      if (isNotified) {
        isNotified = false
        rows = [...(await readNew())]
        if (rows.length > 0) isNotified = true
      } else {
        await new Promise<void>((resolve) => (resumeWaiting = resolve))
      }
    }
    return { done: true, value: undefined }
  }
  return {
    next,
    return: () => {
      close()
      return Promise.resolve({ done: true, value: undefined })
    },
    throw: (error) => {
      close()
      return Promise.reject(error)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
