import { existsSync } from 'node:fs'
import { ReceiptFile, type Receipt } from './receipt-file.ts'
import type { WrittenLog } from './written-log.ts'

/** Guarantees of a reader. */
export interface Promised {
  readonly name: string
  /** `log`: once and in log order. `record`: at least once, with first receipts of a record in order. */
  readonly order: 'log' | 'record' | 'none'
  /** Position after which it reads. */
  readonly after: number
  /** Only events of this connection; null for all. */
  readonly connectionId: string | null
}

const PAGE = 50_000
const MAX_REPORTED = 5

/** Compares a notebook with the log so far; can continue when there is more. */
export class Reading {
  doubled = 0
  private misplaced = 0
  private received = 0
  private readonly wrong: string[] = []
  private readonly receiptFile: ReceiptFile | null
  private readonly bodies: Float64Array
  private readonly newest = new Map<number, number>()
  private lines = 0

  constructor(
    path: string,
    private readonly promised: Promised,
    private readonly log: WrittenLog,
    /** Hash of the detail by position, as the first reader received it. All readers must agree. */
    private readonly details: Float64Array,
  ) {
    this.receiptFile = existsSync(path) ? new ReceiptFile(path) : null
    this.bodies = new Float64Array(log.tags.length)
  }

  readOn(): void {
    for (;;) {
      const receipts = this.receiptFile?.receipts(this.lines, PAGE) ?? []
      for (const receipt of receipts) this.take(receipt)
      this.lines += receipts.length
      if (receipts.length < PAGE) return
    }
  }

  get missing(): number {
    return this.expected - this.received
  }

  get line(): string {
    const { name } = this.promised
    return `${name.padEnd(18)} ${this.lines} received, lost ${this.missing}, doubled ${this.doubled}, out of order ${this.misplaced}`
  }

  /** Returns the violated guarantees. */
  problems(): string[] {
    const { name, order } = this.promised
    return [
      ...this.wrong.slice(0, MAX_REPORTED),
      ...(this.missing === 0
        ? []
        : [`${name}: ${this.missing} events are lost, the first is ${this.firstMissing()}`]),
      ...(this.doubled === 0 || order !== 'log' ? [] : [`${name}: ${this.doubled} events came twice`]),
      ...(this.misplaced === 0 ? [] : [`${name}: ${this.misplaced} events are out of order`]),
    ]
  }

  private isWanted(position: number): boolean {
    const { connectionId, after } = this.promised
    const of = this.log.connectionIds[this.log.connections[position] ?? -1]
    return position > after && (connectionId === null || of === connectionId)
  }

  private get expected(): number {
    return this.log.tags.reduce(
      (sum, _, position) => sum + (position > 0 && this.isWanted(position) ? 1 : 0),
      0,
    )
  }

  private firstMissing(): string {
    const at = this.log.tags.findIndex((_, position) => this.isWanted(position) && !this.bodies[position])
    return `position ${at}, ${this.log.tags[at]}`
  }

  private take({ id, tag, detailHash, bodyHash }: Receipt): void {
    const { name } = this.promised
    const position = this.log.positions.get(id)
    if (position === undefined) return void this.wrong.push(`${name}: ${id} is not in the log`)
    if (!this.isWanted(position)) return void this.wrong.push(`${name}: ${id} does not belong to it`)
    if (this.log.tags[position] !== tag)
      this.wrong.push(`${name}: ${id} came as ${tag}, not ${this.log.tags[position]}`)
    if (!same(this.details, position, detailHash))
      this.wrong.push(`${name}: ${id} has a different detail at another reader`)
    const isFirst = this.bodies[position] === 0
    if (!same(this.bodies, position, bodyHash))
      this.wrong.push(`${name}: ${id} came twice, with another body`)
    if (isFirst) this.received++
    else this.doubled++
    if (this.isMisplaced(position, isFirst)) this.misplaced++
  }

  private isMisplaced(position: number, isFirst: boolean): boolean {
    const { order } = this.promised
    if (order === 'none' || (order === 'record' && !isFirst)) return false
    const key = order === 'log' ? -1 : (this.log.records[position] ?? -1)
    const before = this.newest.get(key) ?? 0
    this.newest.set(key, Math.max(before, position))
    return position < before
  }
}

/** Returns whether a position has this hash. Stores the hash if it has none. */
function same(hashes: Float64Array, position: number, text: string): boolean {
  const hash = text.startsWith('-') ? 1 : 1 + Number.parseInt(text, 16)
  if (hashes[position] === 0) hashes[position] = hash
  return hashes[position] === hash
}
