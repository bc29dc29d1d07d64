import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

export interface Host extends AsyncDisposable {
  readonly url: string
  /** Sets the page in the frame. Pages that are already open keep theirs. */
  frame(address: string): void
}

/** Returns the messages that a host page received, with their origins. */
export const messagesOf = (page: Page): Promise<{ data: { type: string }; origin: string }[]> =>
  page.evaluate('received')

const HEAD =
  '<title>Host</title><meta name="viewport" content="width=device-width"><style>body { margin: 0 }</style>'

/**
 * Serves a page of another origin that frames the link pages and records messages; `/popup` opens them in a
 * popup.
 */
export async function startHost(address: string, hostname = '127.0.0.1'): Promise<Host> {
  let inside = htmlOf(address)
  const recorder = `const received = []
    addEventListener('message', ({ data, origin }) => received.push({ data, origin }))`
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    const frame =
      url === '/popup'
        ? `<button onclick="window.open('${inside}')">Link</button>`
        : `<iframe src="${inside}" title="Link" style="border:0;width:100%;max-width:500px;height:760px"></iframe>`
    response.end(`<!doctype html>${HEAD}<script>${recorder}</script>${frame}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    frame: (other) => void (inside = htmlOf(other)),
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const htmlOf = (address: string): string => address.replaceAll('&', '&amp;')
