const listeners = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls the listener when the signal aborts; returns a function that removes it. All listeners share one
 * event listener, because thousands can use one signal.
 */
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
