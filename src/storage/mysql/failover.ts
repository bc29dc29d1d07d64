import { connect, type Socket } from 'node:net'

export interface Host {
  host: string
  port: number
}

/**
 * Servers of which one is asked: the nodes of a cluster that replicates among them. All connections go to the same
 * one, so that what is written is read; when it is gone or refuses, to the next.
 */
export class FailoverHosts {
  private at = 0
  private readonly hostOf = new WeakMap<object, Readonly<Host>>()
  private readonly opened = new WeakSet<object>()

  constructor(private readonly hosts: readonly Readonly<Host>[]) {}

  /** A cluster: a server that is asked for the first time may be behind the one before. */
  get several(): boolean {
    return this.hosts.length > 1
  }

  private get current(): Readonly<Host> {
    return this.hosts[this.at] as Readonly<Host>
  }

  /**
   * Opens the socket of a connection, and puts its host into the configuration of the connection: TLS checks the
   * certificate against it. A host that does not get as far as `isOpen` is left.
   */
  open(config: Host): Socket {
    const host = this.current
    Object.assign(config, { host: host.host, port: host.port })
    const socket = connect(host.port, host.host)
    socket.setNoDelay(true)
    socket.setKeepAlive(true)
    this.hostOf.set(socket, host)
    socket.once('close', () => {
      if (!this.opened.has(socket)) this.leave(socket)
    })
    return socket
  }

  isOpen(socket: object): void {
    this.opened.add(socket)
  }

  isCurrent(socket: object): boolean {
    const host = this.hostOf.get(socket)
    return host === undefined || host === this.current
  }

  /** Turns to the next host, unless somebody has done so already. */
  leave(socket: object): void {
    if (this.hostOf.get(socket) === this.current) this.at = (this.at + 1) % this.hosts.length
  }
}
