import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Outcome of a request. `delivered`: the server gets it and responds. `unanswered`: the server gets it, and the proxy
 * cuts the connection before the response. `lost`: the proxy cuts the connection first.
 */
type RequestOutcome = 'delivered' | 'unanswered' | 'lost'

/** A TCP proxy that a test can cut, silence or redirect. */
export class TcpProxy implements AsyncDisposable {
  private readonly sockets = new Set<Socket>()
  private silent = false
  /** Decides the outcome of a request from its bytes. */
  outcomeOf: (sent: Buffer) => RequestOutcome = () => 'delivered'

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {
    server.on('connection', (client) => this.join(client))
  }

  static async to(port: number): Promise<TcpProxy> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new TcpProxy(server, port)
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  url(database: string): string {
    return `mysql://root@127.0.0.1:${this.port}/${database}`
  }

  /** Sends new connections to another server; open connections stay. */
  redirect(port: number): void {
    this.target = port
  }

  /** Stops forwarding in both directions from now on, without closing connections. */
  fallSilent(): void {
    this.silent = true
    for (const socket of this.sockets) socket.pause()
  }

  /** Closes the open connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  /** Forwards new connections again; open connections stay as they are. */
  recover(): void {
    this.silent = false
  }

  private join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1')
    let cut = false
    for (const socket of [client, server]) {
      this.sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.sockets.delete(socket))
    }
    client.on('data', (sent) => {
      const outcome = this.outcomeOf(sent)
      if (outcome === 'lost') return client.resetAndDestroy()
      if (outcome === 'unanswered') cut = true
      server.write(sent)
    })
    server.on('data', (answer) => {
      if (cut) client.resetAndDestroy()
      else client.write(answer)
    })
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    if (this.silent) for (const socket of [client, server]) socket.pause()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }
}
