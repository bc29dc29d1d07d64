import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

export interface Host extends AsyncDisposable {
  readonly url: string
}

/** What a page of a host has been told, and by whom. */
export const toldTo = (page: Page): Promise<{ data: { type: string }; origin: string }[]> =>
  page.evaluate('told')

/** A page of another origin that frames the link pages and keeps what it is told; `/popup` opens them. */
export async function startHost(inside: string): Promise<Host> {
  const keep = `const told = []
    addEventListener('message', ({ data, origin }) => told.push({ data, origin }))`
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    const frame =
      url === '/popup'
        ? `<button onclick="window.open('${inside}')">Link</button>`
        : `<iframe src="${inside}" width="500" height="700"></iframe>`
    response.end(`<!doctype html><title>Host</title><script>${keep}</script>${frame}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
