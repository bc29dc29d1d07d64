/**
 * Returns a signal that aborts with a `TimeoutError` after a time. It may be combined with others. The signal
 * of `AbortSignal.timeout` may not: Node 20 collects it if only `AbortSignal.any` refers to it, and it never
 * aborts.
 */
export function deadlineSignal(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('The time limit is over.', 'TimeoutError')), ms).unref()
  return controller.signal
}
