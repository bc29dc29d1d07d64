import { connect, type Socket } from 'node:net'

export interface Host {
  host: string
  port: number
}

/**
 * Nodes of a cluster that replicates between them. All connections go to the same node, so that reads see earlier writes.
 * If the node is gone or refuses work, they go to the next one.
 */
export class FailoverHosts {
  private at = 0
  private readonly hostOf = new WeakMap<object, Readonly<Host>>()
  private readonly opened = new WeakSet<object>()

  constructor(private readonly hosts: readonly Readonly<Host>[]) {}

  /** Whether there are several nodes: after a switch, the new node may be behind the last one. */
  get several(): boolean {
    return this.hosts.length > 1
  }

  private get current(): Readonly<Host> {
    return this.hosts[this.at] as Readonly<Host>
  }

  /**
   * Opens the socket of a connection, and puts its host into the configuration of the connection: TLS checks the
   * certificate against it. If the socket closes before `isOpen`, the next host is used.
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

  /** Switches to the next host, unless another connection has already done so. */
  leave(socket: object): void {
    if (this.hostOf.get(socket) === this.current) this.at = (this.at + 1) % this.hosts.length
  }
}
