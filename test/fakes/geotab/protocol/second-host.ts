import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Header that marks calls to the second host. */
export const SECOND_HOST_HEADER = 'x-by-second-host'

/** Server on a second port. It forwards all calls to the first host, which counts them. */
export class SecondHost {
  private first = ''
  private readonly server: Server = createServer((incoming, response) => this.forward(incoming, response))
  private readonly listening: Promise<unknown>

  constructor() {
    this.server.listen(0, '127.0.0.1')
    this.listening = once(this.server, 'listening')
  }

  /** Returns its address. Calls are forwarded to `first`. */
  async host(first: string): Promise<string> {
    this.first = first
    await this.listening
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  private forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = incoming
    const [hostname, port] = this.first.split(':')
    const outgoing = request({
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, [SECOND_HOST_HEADER]: '1' },
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
