import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Behaviour for event streams: forward, respond itself, hold back the data, or cut them. */
export type StreamBehaviour =
  | 'pass'
  | 'keep'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly cutAfterBytes: number }

/** A proxy between a service and its clients. It changes only event streams. */
export class StreamProxy implements AsyncDisposable {
  /** Requests in order: streams, and pages of the log. */
  readonly asked: ('stream' | 'page')[] = []
  manner: StreamBehaviour = 'pass'
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
    return this.asked.filter((asked) => asked === kind).length
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const isStream = request.headers.accept?.includes('text/event-stream') ?? false
    this.asked.push(isStream ? 'stream' : 'page')
    const manner = isStream ? this.manner : 'pass'
    if (typeof manner === 'object' && 'status' in manner) {
      request.resume()
      response.writeHead(manner.status, { 'content-type': 'text/html', ...manner.headers }).end('<p>No.</p>')
    } else this.forward(request, response, manner)
  }

  private forward(
    request: IncomingMessage,
    response: ServerResponse,
    manner: 'pass' | 'keep' | { readonly cutAfterBytes: number },
  ): void {
    const { method, headers, url = '/' } = request
    const asked = send(new URL(url, this.target), { method, headers, agent: false })
    asked.on('error', () => response.destroy())
    asked.on('response', (answer) => {
      if (manner === 'keep') return void answer.resume()
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      let left = typeof manner === 'object' ? manner.cutAfterBytes : Infinity
      answer.on('data', (chunk: Buffer) => {
        response.write(chunk.subarray(0, left))
        left -= chunk.length
        // `end` sends the written bytes before it closes the connection.
        if (left <= 0) response.socket?.end()
      })
      answer.on('end', () => response.end())
      answer.on('error', () => response.destroy())
    })
    response.on('close', () => asked.destroy())
    request.pipe(asked)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }
}
