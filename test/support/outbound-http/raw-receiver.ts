import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificate } from './certificate.ts'

/** Reaction of a receiver to a complete request head. */
export type Behaviour = (socket: Socket, request: { readonly head: string; readonly path: string }) => void

/** A TCP server that writes raw bytes, so that it can break HTTP in any way. */
export class Receiver implements AsyncDisposable {
  private readonly sockets = new Set<Socket>()
  connections = 0
  /** Request heads in order of arrival. */
  readonly heads: string[] = []

  private constructor(
    private readonly server: Server,
    readonly scheme: 'http' | 'https',
  ) {}

  static async start(
    behaviour: Behaviour,
    certificate?: Certificate,
    host = '127.0.0.1',
    port = 0,
  ): Promise<Receiver> {
    const server = certificate ? createTlsServer(certificate) : createServer()
    const receiver = new Receiver(server, certificate ? 'https' : 'http')
    server.on(certificate ? 'secureConnection' : 'connection', (socket: Socket) =>
      receiver.serve(socket, behaviour),
    )
    server.on('tlsClientError', () => undefined)
    await once(server.listen(port, host), 'listening')
    return receiver
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  url(path = '/hook', host = '127.0.0.1'): string {
    return `${this.scheme}://${host}:${this.port}${path}`
  }

  get open(): number {
    return this.sockets.size
  }

  private serve(socket: Socket, behaviour: Behaviour): void {
    this.connections++
    this.sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.sockets.delete(socket))
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const [, head, rest] = /^(.*?\r\n\r\n)(.*)$/s.exec(text) ?? []
      if (head === undefined || (rest ?? '').length < lengthIn(head)) return
      text = ''
      this.heads.push(head)
      behaviour(socket, { head, path: head.split(' ')[1] ?? '' })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((done) => this.server.close(done))
  }
}

const lengthIn = (head: string): number => Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
