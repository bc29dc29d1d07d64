import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Header of calls that came through the second host. */
export const OTHER_HOST = 'x-by-second-host'

/** Forwards everything from a second port to the first host, so that calls are counted in one place. */
export class SecondHost {
  private first = ''
  private readonly server: Server = createServer((incoming, response) => this.handOn(incoming, response))
  private readonly listening: Promise<unknown>

  constructor() {
    this.server.listen(0, '127.0.0.1')
    this.listening = once(this.server, 'listening')
  }

  /** Returns its address, for a caller of the first host. */
  async host(first: string): Promise<string> {
    this.first = first
    await this.listening
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  private handOn(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = incoming
    const [hostname, port] = this.first.split(':')
    const outgoing = request({
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, [OTHER_HOST]: '1' },
    })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy()).pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
}
