/** The result of some work, unless a signal is aborted before: then its reason is thrown, and the work goes on alone. */
export async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let leave: () => void = () => undefined
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work, left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
