/** Settles like the promise, or rejects with `late` after the timeout. The work behind the promise then continues. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, late: Error): Promise<T> {
  let timeout: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timeout = setTimeout(reject, timeoutMs, late).unref()
  })

  try {
    return await Promise.race([promise, deadline])
  } finally {
    clearTimeout(timeout)
  }
}

/** Waits until all promises settle, at most for the timeout. Returns whether they did. */
export async function settledWithin(timeoutMs: number, promises: readonly unknown[]): Promise<boolean> {
  const settled = Promise.allSettled(promises).then(() => true)
  return withTimeout(settled, timeoutMs, new Error('Not settled in time')).catch(() => false)
}
