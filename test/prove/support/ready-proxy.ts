import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

const LOOK_MS = 100

interface Backend {
  readonly url: URL
  ready: boolean
}

/**
 * A TCP load balancer: a new connection goes to the next server whose `/readyz` last succeeded. It retries
 * nothing, so a client sees every connection failure of a server.
 */
export class ReadyProxy implements AsyncDisposable {
  private backends: Backend[] = []
  private next = 0
  private readonly sockets = new Set<Socket>()
  private readonly timer = setInterval(() => void this.look(), LOOK_MS)
  private readonly server: Server = createServer((client) => this.join(client))

  static async start(): Promise<ReadyProxy> {
    const proxy = new ReadyProxy()
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Adds a server; settles once it is ready. */
  async add(url: string): Promise<void> {
    const backend = { url: new URL(url), ready: false }
    this.backends.push(backend)
    while (!backend.ready) await this.look()
  }

  remove(url: string): void {
    this.backends = this.backends.filter((backend) => backend.url.href !== new URL(url).href)
  }

  private async look(): Promise<void> {
    await Promise.all(
      this.backends.map(async (backend) => {
        const answer = await fetch(new URL('/readyz', backend.url)).catch(() => null)
        await answer?.arrayBuffer()
        backend.ready = answer?.ok ?? false
      }),
    )
  }

  private join(client: Socket): void {
    const ready = this.backends.filter((backend) => backend.ready)
    const backend = ready[this.next++ % ready.length]
    if (!backend) return void client.destroy()
    const server = connect(Number(backend.url.port), backend.url.hostname)
    for (const socket of [client, server]) this.sockets.add(socket.setNoDelay())
    client.pipe(server).pipe(client)
    // Bytes that the server sent before its close still reach the client.
    server.on('error', () => client.destroy()).on('close', () => client.end())
    client.on('error', () => server.destroy()).on('close', () => server.destroy())
    for (const socket of [client, server]) socket.on('close', () => this.sockets.delete(socket))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.timer)
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
