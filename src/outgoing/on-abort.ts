const heeding = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls once a signal is aborted, with one listener for the thousands that share a signal; gives how to call it off. */
export function onAbort(signal: AbortSignal, heed: () => void): () => void {
  const all = heeding.get(signal) ?? listenersOf(signal)
  all.add(heed)
  return () => void all.delete(heed)
}

function listenersOf(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>()
  heeding.set(signal, all)
  signal.addEventListener('abort', () => all.forEach((heed) => heed()), { once: true })
  return all
}
