import type { Shown } from './outcome.ts'

const LOOK_MS = 300

/** Shows the link pages in a window of their own; whether it has been closed is looked at, for nothing tells. */
export function openWindow(address: URL, leave: () => void): Shown {
  const shown = window.open(address.href, '_blank', 'popup,width=480,height=740')
  let looksClosed = 0
  const looking = setInterval(() => {
    // What it has sent before it closed may still be on its way at the first look.
    if (shown?.closed && ++looksClosed === 2) leave()
  }, LOOK_MS)
  return {
    source: () => shown,
    close() {
      clearInterval(looking)
      shown?.close()
    },
  }
}
