import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy. While frozen it holds the data of both directions and closes nothing. */
export class StallingProxy implements AsyncDisposable {
  private readonly open = new Set<Socket>()
  private frozen = false
  private held: (() => void)[] = []

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', (socket) => this.whenGoing(() => this.join(socket)))
  }

  static async start(target: number): Promise<StallingProxy> {
    const proxy = new StallingProxy(createServer({ pauseOnConnect: true }), target)
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  freeze(): void {
    this.frozen = true
  }

  /** Forwards the held data in order. */
  thaw(): void {
    this.frozen = false
    for (const go of this.held.splice(0)) go()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close')
    this.server.close()
    for (const socket of this.open) socket.destroy()
    await closed
  }

  private whenGoing(go: () => void): void {
    if (this.frozen) this.held.push(go)
    else go()
  }

  private join(caller: Socket): void {
    const callee = connect(this.target, '127.0.0.1')
    this.carry(caller, callee)
    this.carry(callee, caller)
    caller.resume()
  }

  /** Forwards one direction. An error of one socket destroys the other. */
  private carry(from: Socket, to: Socket): void {
    this.open.add(from)
    from.setNoDelay(true)
    from.on('data', (bytes) => this.whenGoing(() => to.writable && to.write(bytes)))
    from.on('error', () => this.whenGoing(() => to.destroy()))
    from.on('close', () => {
      this.open.delete(from)
      this.whenGoing(() => to.end())
    })
  }
}
