import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the proxy does with event streams: forwards them, responds itself, holds back their data, or cuts them. */
export type StreamBehaviour =
  | 'pass'
  | 'keep'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly cutAfterBytes: number }

/** A proxy between a service and its clients. It changes only event streams. */
export class StreamProxy implements AsyncDisposable {
  /** Requests in order: streams, and pages of the log. */
  readonly requested: ('stream' | 'page')[] = []
  behaviour: StreamBehaviour = 'pass'
  private readonly server = createServer((request, response) => this.take(request, response))

  private constructor(private readonly target: string) {}

  static async before(target: string): Promise<StreamProxy> {
    const proxy = new StreamProxy(target)
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  timesOf(kind: 'stream' | 'page'): number {
    return this.requested.filter((requested) => requested === kind).length
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const isStream = request.headers.accept?.includes('text/event-stream') ?? false
    this.requested.push(isStream ? 'stream' : 'page')
    const behaviour = isStream ? this.behaviour : 'pass'
    if (typeof behaviour === 'object' && 'status' in behaviour) {
      request.resume()
      response
        .writeHead(behaviour.status, { 'content-type': 'text/html', ...behaviour.headers })
        .end('<p>No.</p>')
    } else this.forward(request, response, behaviour)
  }

  private forward(
    request: IncomingMessage,
    response: ServerResponse,
    behaviour: 'pass' | 'keep' | { readonly cutAfterBytes: number },
  ): void {
    const { method, headers, url = '/' } = request
    const requested = send(new URL(url, this.target), { method, headers, agent: false })
    requested.on('error', () => response.destroy())
    requested.on('response', (answer) => {
      if (behaviour === 'keep') return void answer.resume()
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      let left = typeof behaviour === 'object' ? behaviour.cutAfterBytes : Infinity
      answer.on('data', (chunk: Buffer) => {
        response.write(chunk.subarray(0, left))
        left -= chunk.length
        // `end` sends the written bytes before it closes the connection.
        if (left <= 0) response.socket?.end()
      })
      answer.on('end', () => response.end())
      answer.on('error', () => response.destroy())
    })
    response.on('close', () => requested.destroy())
    request.pipe(requested)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }
}
