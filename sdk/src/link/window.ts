import type { LinkView } from './outcome.ts'

const POLL_INTERVAL_MS = 300

/** Hint for developers. This page cannot tell a closed window from link pages that may not send messages to it. */
const CLOSED_WITHOUT_MESSAGE =
  'openLink: the window closed without a message, so the result is `cancelled`. If accounts are linked ' +
  'nevertheless, add the origin of this page to the link origins of the application. The link pages send ' +
  'messages only to these origins, and for a sandbox application also to pages on localhost.'

/** Opens the link pages in a window. Polls whether it is closed, because no event reports that. */
export function openWindow(address: URL, leave: () => void): LinkView {
  const opened = window.open(address.href, '_blank', 'popup,width=480,height=740')
  let closedPolls = 0
  const timer = setInterval(() => {
    // A message that was sent before the window closed may arrive later. One more poll leaves time for it.
    if (!opened?.closed || ++closedPolls < 2) return
    // oxlint-disable-next-line no-console -- the only hint for developers
    console.info(CLOSED_WITHOUT_MESSAGE)
    leave()
  }, POLL_INTERVAL_MS)
  return {
    source: () => opened,
    close() {
      clearInterval(timer)
      opened?.close()
    },
  }
}
