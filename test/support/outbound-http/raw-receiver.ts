import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificate } from './certificate.ts'

/** What a receiver does with a connection once the whole head of a request has come. */
export type Behaviour = (socket: Socket, request: { readonly head: string; readonly path: string }) => void

/** A server that speaks bytes, not HTTP: it can do whatever a receiver might. */
export class Receiver implements AsyncDisposable {
  private readonly sockets = new Set<Socket>()
  connections = 0
  /** The heads of the requests, in the order in which they came. */
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
