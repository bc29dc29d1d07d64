const listeners = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls once a signal is aborted, with one listener for the thousands that share a signal; gives how to call it off. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const all = listeners.get(signal) ?? listenersOf(signal)
  all.add(listener)
  return () => void all.delete(listener)
}

function listenersOf(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>()
  listeners.set(signal, all)
  signal.addEventListener('abort', () => all.forEach((listener) => listener()), { once: true })
  return all
}
