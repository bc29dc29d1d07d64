import { connect, type Socket } from 'node:net'

/** Address of a node of a cluster. */
export interface NodeAddress {
  host: string
  port: number
}

/**
 * Nodes of a cluster that replicate each other. All connections use the same node, so that reads see earlier writes. If
 * the node does not answer or refuses work, new connections use the next node. A connection is identified by its
 * configuration, because TLS replaces its socket.
 */
export class FailoverNodes {
  private currentIndex = 0
  private readonly nodeByConfig = new WeakMap<object, Readonly<NodeAddress>>()
  private readonly connected = new WeakSet<object>()

  constructor(private readonly nodes: readonly Readonly<NodeAddress>[]) {}

  private get current(): Readonly<NodeAddress> {
    return this.nodes[this.currentIndex] as Readonly<NodeAddress>
  }

  /**
   * Opens the socket of a connection to the current node. Sets the address in the configuration of the connection,
   * because TLS checks the certificate against it. If the socket closes before `markConnected`, later connections use
   * the next node.
   */
  openSocket(config: NodeAddress): Socket {
    const node = this.current
    Object.assign(config, { host: node.host, port: node.port })
    const socket = connect(node.port, node.host)
    socket.setNoDelay(true)
    socket.setKeepAlive(true)
    this.nodeByConfig.set(config, node)
    socket.once('close', () => {
      if (!this.connected.has(config)) this.leaveNodeOf(config)
    })
    return socket
  }

  nodeOf(config: object): Readonly<NodeAddress> | null {
    return this.nodeByConfig.get(config) ?? null
  }

  /** Records that a connection works. */
  markConnected(config: object): void {
    this.connected.add(config)
  }

  /** Whether a connection uses the current node. */
  isCurrent(config: object): boolean {
    return this.nodeOf(config) === this.current
  }

  /** Switches from the node of a connection to the next one, unless another connection has already done so. */
  leaveNodeOf(config: object): void {
    if (this.isCurrent(config)) this.currentIndex = (this.currentIndex + 1) % this.nodes.length
  }
}
