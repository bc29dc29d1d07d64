import type { Socket } from 'node:net'

/** Start of the head of an interim response: 100 Continue, 102, 103. After 101 the protocol changes. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d/
const INTERIM_PREFIX = 'HTTP/1.1 1'
/** Number of bytes after which `INTERIM` decides. */
const STATUS_END = 12
const HEAD_END = '\r\n\r\n'
/** Maximum size of a head that is removed. A larger one goes to undici, which refuses it. */
const MAX_HEAD_BYTES = 16_384

/**
 * Removes interim responses from what a socket receives. A server may send them unasked, but undici destroys the
 * socket after `100 Continue`. The socket must carry one request at a time: the first bytes after a write are the
 * start of a response.
 */
export function dropInterimResponses(socket: Socket): void {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket)
  let isHeadNext = true
  let held: Buffer = Buffer.alloc(0)
  socket.write = ((...args: Parameters<typeof write>) => {
    isHeadNext = true
    return write(...args)
  }) as typeof socket.write
  socket.read = ((size?: number): Buffer | null => {
    const chunk = read(size) as Buffer | null
    if (chunk === null || !isHeadNext) return chunk
    const { bytes, isUndecided } = withoutInterim(Buffer.concat([held, chunk]))
    held = isUndecided ? bytes : Buffer.alloc(0)
    isHeadNext = isUndecided
    return isUndecided ? null : bytes
  }) as typeof socket.read
}

interface Rest {
  readonly bytes: Buffer
  /** Whether the bytes can still become an interim response. */
  readonly isUndecided: boolean
}

/** Removes complete interim responses from the start of the bytes. */
function withoutInterim(bytes: Buffer): Rest {
  const start = bytes.toString('latin1', 0, STATUS_END)
  if (start.length < STATUS_END)
    return { bytes, isUndecided: INTERIM_PREFIX.startsWith(start.slice(0, INTERIM_PREFIX.length)) }
  if (!INTERIM.test(start)) return { bytes, isUndecided: false }
  const end = bytes.indexOf(HEAD_END)
  if (end === -1 || end > MAX_HEAD_BYTES) return { bytes, isUndecided: bytes.length < MAX_HEAD_BYTES }
  return withoutInterim(bytes.subarray(end + HEAD_END.length))
}
