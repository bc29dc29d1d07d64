import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assets } from '../../../src/link/pages/assets.ts'
import { render } from '../../../src/link/pages/render.ts'
import type { PageOptions, Language, View } from '../../../src/link/view.ts'
import { choice, pageOptions, views } from './page-views.ts'

/** Headers that the flow sends with every page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
]

export interface PageServer extends AsyncDisposable {
  readonly url: string
  /**
   * Sets the view for the next requests, its options, and its `frame-ancestors`. Default: the origins that
   * receive its messages.
   */
  show(view: View, around?: Partial<PageOptions>, ancestors?: string): void
  /** Submitted forms. */
  readonly sent: readonly Readonly<Record<string, string>>[]
}

/** Serves one view at the URL of its run, as the flow does; `/link/pages/NAME` shows any view. */
export async function startPageServer(): Promise<PageServer> {
  const shown: Shown = { view: choice, around: {} }
  const sent: Record<string, string>[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://here')
    const asset = assets.find(({ path }) => url.pathname === `/link${path}`)
    if (asset) return void response.setHeader('content-type', asset.type).end(asset.body)
    if (request.method === 'POST') {
      sent.push(await formOf(request))
      return void response.writeHead(303, { location: url.pathname }).end()
    }
    const view = views[url.pathname.replace('/link/pages/', '')] ?? shown.view
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .setHeader('content-security-policy', policyOf(shown))
    response.end(render(view, { ...pageOptions, language: languageOf(url), ...shown.around }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    show: (view, around = {}, ancestors = undefined) =>
      void Object.assign(shown, { view, around, ancestors }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Shown {
  readonly view: View
  readonly around: Partial<PageOptions>
  readonly ancestors?: string
}

const policyOf = ({ around, ancestors }: Shown): string =>
  [...POLICY, `frame-ancestors ${ancestors ?? (around.origins?.join(' ') || "'none'")}`].join('; ')

const languageOf = (url: URL): Language => (url.searchParams.get('lang') as Language | null) ?? 'en'

async function formOf(request: AsyncIterable<Buffer>): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
}
