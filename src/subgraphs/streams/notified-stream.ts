/** A tail that can be followed anew from one of its rows. */
export interface ResumableStream {
  /** The id of the row that it begins after, null where there is none before. */
  startsAfter(): Promise<string | null>
}

/**
 * Follows a table: reads what is new whenever the bell rings, and hands it out one by one. It reads only when its
 * reader asks, so a slow reader costs no memory; a reader that leaves ends it at once, even while it waits, and so
 * does the last row.
 */
export function notifiedStream<Row>(
  subscribe: (listener: () => void) => () => void,
  readNew: () => Promise<readonly Row[]>,
  isLast: (row: Row) => boolean = () => false,
): AsyncIterableIterator<Row> {
  let isNotified = true
  let open = true
  let waiting: (() => void) | null = null
  let rows: Row[] = []
  const wake = () => {
    waiting?.()
    waiting = null
  }
  const stopListening = subscribe(() => {
    isNotified = true
    wake()
  })
  const close = () => {
    open = false
    stopListening()
    wake()
  }
  const next = async (): Promise<IteratorResult<Row>> => {
    while (open) {
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
        await new Promise<void>((resolve) => (waiting = resolve))
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
