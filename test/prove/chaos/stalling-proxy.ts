import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** TCP proxy that can be frozen. Meanwhile it buffers new connections, data and the ends of connections. */
export class StallingProxy implements AsyncDisposable {
  private readonly open = new Set<Socket>()
  private frozen = false
  private buffered: (() => void)[] = []

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', (socket) => this.whenThawed(() => this.connectToTarget(socket)))
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

  /** Forwards in order what it has buffered. */
  thaw(): void {
    this.frozen = false
    for (const action of this.buffered.splice(0)) action()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close')
    this.server.close()
    for (const socket of this.open) socket.destroy()
    await closed
  }

  /** Runs an action at once, or after the thaw. */
  private whenThawed(action: () => void): void {
    if (this.frozen) this.buffered.push(action)
    else action()
  }

  private connectToTarget(caller: Socket): void {
    const callee = connect(this.target, '127.0.0.1')
    this.forward(caller, callee)
    this.forward(callee, caller)
    caller.resume()
  }

  /** Forwards one direction. An error of one socket destroys the other. */
  private forward(from: Socket, to: Socket): void {
    this.open.add(from)
    from.setNoDelay(true)
    from.on('data', (bytes) => this.whenThawed(() => to.writable && to.write(bytes)))
    from.on('error', () => this.whenThawed(() => to.destroy()))
    from.on('close', () => {
      this.open.delete(from)
      this.whenThawed(() => to.end())
    })
  }
}
