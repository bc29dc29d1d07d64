import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Listeners on one port at forbidden addresses of this machine. No request may reach them. */
export class Canaries implements AsyncDisposable {
  visits = 0
  private readonly servers: Server[] = []
  private readonly sockets = new Set<Socket>()

  static async start(): Promise<Canaries> {
    const canaries = new Canaries()
    await canaries.listen('127.0.0.1')
    for (const { address, family, internal } of Object.values(networkInterfaces()).flatMap(
      (all) => all ?? [],
    ))
      if (!internal && family === 'IPv4') await canaries.listen(address)
    return canaries
  }

  get port(): number {
    return this.servers[0] ? portOf(this.servers[0]) : 0
  }

  /** Adds a listener on a port of its own. Returns the port. */
  async listenBeside(host: string): Promise<number> {
    return portOf(await this.listen(host, 0))
  }

  /** Returns whether each listener notices a connection. */
  async sing(): Promise<boolean> {
    const before = this.visits
    for (const server of this.servers) {
      const { address, port } = server.address() as AddressInfo
      const socket = connect(port, address)
      await once(socket.resume(), 'close')
    }
    const heard = this.visits - before === this.servers.length
    this.visits = before
    return heard
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await Promise.all(this.servers.map((server) => new Promise((done) => server.close(done))))
  }

  private async listen(host: string, port = this.port): Promise<Server> {
    const server = createServer((socket) => {
      this.visits++
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
      socket.on('error', () => undefined).end('HTTP/1.1 204 No Content\r\n\r\n')
    }).listen(port, host)
    await once(server, 'listening')
    this.servers.push(server)
    return server
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
