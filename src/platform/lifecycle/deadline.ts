/**
 * Returns a signal that aborts with a `TimeoutError` after a time. It works inside `AbortSignal.any`, unlike the signal
 * of `AbortSignal.timeout`: if only `AbortSignal.any` refers to that signal, Node 20 collects it as garbage, and it
 * never aborts.
 */
export function deadlineSignal(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('The time limit is over.', 'TimeoutError')), ms).unref()
  return controller.signal
}
