import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What is sent arrives; or it does and the link is cut before the answer; or the link is cut before it arrives. */
type Fate = 'arrives' | 'unanswered' | 'lost'

/** A link to a server that a test can cut, silence or redirect. */
export class TcpProxy implements AsyncDisposable {
  private readonly sockets = new Set<Socket>()
  private silent = false
  /** Sees what clients send, and says what becomes of it. */
  fate: (sent: Buffer) => Fate = () => 'arrives'

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

  /** Leads new connections to another server; existing ones stay where they are. */
  redirect(port: number): void {
    this.target = port
  }

  /** From now on nothing passes, neither way, and nobody is told. */
  fallSilent(): void {
    this.silent = true
    for (const socket of this.sockets) socket.pause()
  }

  /** New connections pass again; those of before stay as they are. */
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
      const fate = this.fate(sent)
      if (fate === 'lost') return client.resetAndDestroy()
      if (fate === 'unanswered') cut = true
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
