import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'

/** Serves texts at an origin of its own. */
export class Origin implements AsyncDisposable {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(pages: Readonly<Record<string, string>>): Promise<Origin> {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const text = pages[pathname] ?? pages['/'] ?? ''
      const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...STRICT }).end(text)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Origin(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }
}

/** Policy of a careful integrator: no inline style and no inline script. */
const STRICT = { 'content-security-policy': "script-src 'self'; style-src 'none'; base-uri 'none'" }

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`

/** Pages of an integrator, with the client as `odograph`. */
export const integratorPages = async (): Promise<Readonly<Record<string, string>>> => ({
  '/': page(
    'Integrator',
    '<main><h1>Fleets</h1><button id="open">Link your account</button><div id="place"></div></main><script src="/client.js"></script>',
  ),
  '/client.js': await bundled(),
})

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['sdk/src/browser.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'odograph',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** Pages that send the messages of the link pages to their opener, by button. */
export const linkPages: Readonly<Record<string, string>> = {
  '/': page(
    'Link',
    ['success', 'exit', 'close', 'nonsense'].map((id) => `<button id="${id}">${id}</button>`).join('') +
      '<script src="/say.js"></script>',
  ),
  '/say.js': `
    const messages = {
      success: { type: 'SUCCESS', payload: { publicToken: 'pub_tkn_of_the_link_pages' } },
      exit: { type: 'EXIT' },
      close: 'CLOSE',
      nonsense: { type: 'SUCCESS', payload: null },
    }
    const to = window.parent === window ? window.opener : window.parent
    for (const [id, message] of Object.entries(messages))
      document.getElementById(id).addEventListener('click', () => to.postMessage(message, '*'))
  `,
}

/** Pages that claim on load that an account is linked. */
export const forgingPages: Readonly<Record<string, string>> = {
  '/': page('Forger', '<script src="/say.js"></script>'),
  '/say.js': `
    parent.postMessage({ type: 'SUCCESS', payload: { publicToken: 'pub_tkn_forged' } }, '*')
    parent.postMessage({ type: 'EXIT' }, '*')
    parent.postMessage({ forged: true }, '*')
  `,
}
