import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** Returns the IPv4 address of a name at its nth lookup; null for no response. */
export type Script = (name: string, turn: number) => string | null

/** A local name server whose responses follow a script. */
export class NameServer implements AsyncDisposable {
  private readonly turns = new Map<string, number>()

  private constructor(
    private readonly socket: Socket,
    private readonly script: Script,
  ) {}

  static async start(script: Script): Promise<NameServer> {
    const socket = createSocket('udp4')
    const server = new NameServer(socket, script)
    socket.on('message', (query, { port, address }) => {
      const answer = server.answerTo(query)
      if (answer) socket.send(answer, port, address)
    })
    await once(socket.bind(0, '127.0.0.1'), 'listening')
    return server
  }

  get address(): string {
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.socket, 'close')
    this.socket.close()
    await closed
  }

  /** Names have IPv4 addresses only. */
  private answerTo(query: Buffer): Buffer | null {
    const { name, type, end } = questionIn(query)
    const turn = this.turns.get(name) ?? 0
    if (type === TYPE_A) this.turns.set(name, turn + 1)
    const address = this.script(name, turn)
    if (address === null) return null
    const records = type === TYPE_A ? [recordOf(address)] : []
    const head = Buffer.from(query.subarray(0, HEAD_BYTES))
    head.writeUInt16BE(ANSWER_FLAGS, 2)
    for (const [at, count] of [1, records.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * at)
    return Buffer.concat([head, query.subarray(HEAD_BYTES, end), ...records])
  }
}

const HEAD_BYTES = 12
/** Flags: a response without error, recursion available. */
const ANSWER_FLAGS = 0x8180
const TYPE_A = 1

function questionIn(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEAD_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Encodes a record of the question's name with an address and a TTL of zero. */
const recordOf = (address: string): Buffer =>
  Buffer.concat([Buffer.from('c00c00010001000000000004', 'hex'), Buffer.from(address.split('.').map(Number))])
