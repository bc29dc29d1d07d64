import type { Shown } from './outcome.ts'

const POLL_INTERVAL_MS = 300

/** For developers: a fleet that closes the window looks the same as pages that may not speak to this one. */
const SAID_NOTHING =
  'openLink: the window was closed and had said nothing, which counts as cancelled. If accounts are linked in it all the same, name the origin of this page among the link origins of the application: the link pages speak to these alone, and for a sandbox to the pages of this machine.'

/** Shows the link pages in a window of their own; whether it has been closed is looked at, for nothing tells. */
export function openWindow(address: URL, leave: () => void): Shown {
  const shown = window.open(address.href, '_blank', 'popup,width=480,height=740')
  let looksClosed = 0
  const looking = setInterval(() => {
    // What it has sent before it closed may still be on its way at the first look.
    if (!shown?.closed || ++looksClosed < 2) return
    // oxlint-disable-next-line no-console -- for developers, who see nothing else of it.
    console.info(SAID_NOTHING)
    leave()
  }, POLL_INTERVAL_MS)
  return {
    source: () => shown,
    close() {
      clearInterval(looking)
      shown?.close()
    },
  }
}
