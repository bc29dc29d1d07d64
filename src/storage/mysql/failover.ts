import { connect, type Socket } from 'node:net'

export interface Host {
  host: string
  port: number
}

/**
 * Nodes of a cluster that replicate each other. All connections use the same node, so that reads see earlier writes. If
 * the node does not answer or refuses work, new connections use the next node.
 */
export class FailoverHosts {
  private currentIndex = 0
  private readonly hostOf = new WeakMap<object, Readonly<Host>>()
  private readonly opened = new WeakSet<object>()

  constructor(private readonly hosts: readonly Readonly<Host>[]) {}

  /** Whether there are several nodes. After a switch, the new node may be behind the previous one. */
  get hasSeveral(): boolean {
    return this.hosts.length > 1
  }

  private get current(): Readonly<Host> {
    return this.hosts[this.currentIndex] as Readonly<Host>
  }

  /**
   * Opens the socket of a connection, and puts its host into the configuration of the connection: TLS checks the
   * certificate against it. If the socket closes before `markOpen`, later connections use the next host.
   */
  open(config: Host): Socket {
    const host = this.current
    Object.assign(config, { host: host.host, port: host.port })
    const socket = connect(host.port, host.host)
    socket.setNoDelay(true)
    socket.setKeepAlive(true)
    this.hostOf.set(socket, host)
    socket.once('close', () => {
      if (!this.opened.has(socket)) this.leaveHostOf(socket)
    })
    return socket
  }

  /** Returns the host of a socket. */
  of(socket: object): Readonly<Host> | null {
    return this.hostOf.get(socket) ?? null
  }

  /** Records that the connection of a socket works. */
  markOpen(socket: object): void {
    this.opened.add(socket)
  }

  isCurrent(socket: object): boolean {
    const host = this.hostOf.get(socket)
    return host === undefined || host === this.current
  }

  /** Switches from the host of a socket to the next one, unless another connection has already done so. */
  leaveHostOf(socket: object): void {
    if (this.hostOf.get(socket) === this.current)
      this.currentIndex = (this.currentIndex + 1) % this.hosts.length
  }
}
