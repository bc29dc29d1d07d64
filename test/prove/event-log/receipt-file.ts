import { createHash } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

/** A received event. */
export interface Receipt {
  readonly id: string
  /** Its writer and its number there, `3-00000042`. */
  readonly tag: string
  /** Hash of the detail, and of the received bytes of a webhook: twelve hexadecimal digits each. */
  readonly detailHash: string
  readonly bodyHash: string
}

/** Length of a line: an id, a tag and two hashes. */
export const LINE_BYTES = 68
const TAG_CHARACTERS = 10
export const NO_TAG = '-'.repeat(TAG_CHARACTERS)
const NO_HASH = '-'.repeat(12)

/** The file of a reader. A receipt is in the file before the reader acts on it, so it survives a kill. */
export class ReceiptFile {
  private readonly file: number
  private bytes: number

  constructor(path: string) {
    this.file = openSync(path, 'a+')
    const { size } = fstatSync(this.file)
    this.bytes = size - (size % LINE_BYTES)
    if (size > this.bytes) ftruncateSync(this.file, this.bytes)
  }

  /** Id of the last recorded event; null in a new notebook. */
  get lastId(): string | null {
    return this.bytes === 0 ? null : this.readFrom(this.bytes - LINE_BYTES, LINE_BYTES).slice(0, 30)
  }

  note({ id, detail }: LoggedEvent, body?: string | Buffer): void {
    const hash = body === undefined ? NO_HASH : hashOf(body)
    const line = `${id} ${tagOf(detail)} ${hashOf(JSON.stringify(detail))} ${hash}\n`
    if (line.length !== LINE_BYTES) throw new Error(`a line of ${line.length} characters: ${line}`)
    writeSync(this.file, line)
    this.bytes += LINE_BYTES
  }

  /** Returns receipts from a line on, up to a limit. */
  receipts(from: number, most: number): Receipt[] {
    const there = Math.floor(fstatSync(this.file).size / LINE_BYTES) - from
    const text = this.readFrom(from * LINE_BYTES, Math.max(0, Math.min(there, most)) * LINE_BYTES)
    const lines = text.split('\n').slice(0, -1)
    return lines.map((line) => ({
      id: line.slice(0, 30),
      tag: line.slice(31, 41),
      detailHash: line.slice(42, 54),
      bodyHash: line.slice(55, 67),
    }))
  }

  close(): void {
    closeSync(this.file)
  }

  private readFrom(position: number, length: number): string {
    const buffer = Buffer.alloc(length)
    readSync(this.file, buffer, 0, length, position)
    return buffer.toString('latin1')
  }
}

/** An event, received over any transport. */
export interface LoggedEvent {
  readonly id: string
  readonly detail: unknown
}

const hashOf = (content: string | Buffer): string =>
  createHash('sha1').update(content).digest('hex').slice(0, NO_HASH.length)

function tagOf(detail: unknown): string {
  const { sourceId } = (detail as { vehicle?: { sourceId?: string } } | null)?.vehicle ?? {}
  return sourceId?.length === TAG_CHARACTERS ? sourceId : NO_TAG
}
