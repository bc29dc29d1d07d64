import { PublicError } from '../../domain/errors.ts'
import type { OperationLifetime } from './operation-lifetime.ts'

const CHARACTERS_PER_MEGABYTE = 1_000_000

/**
 * Counts the text that one operation reads from the database, and ends the operation when it is too much. The estimated
 * cost limits the number of objects of a result, but not their size: one raw record can have 256 KiB.
 */
export class ReadSize {
  private characters = 0

  constructor(
    private readonly maxMegabytes: number,
    private readonly lifetime: OperationLifetime,
  ) {}

  add(rows: readonly unknown[]): void {
    for (const row of rows as Record<string, unknown>[])
      for (const column in row) {
        const value = row[column]
        if (typeof value === 'string') this.characters += value.length
      }
    if (this.characters > this.maxMegabytes * CHARACTERS_PER_MEGABYTE)
      this.lifetime.end(() => readTooMuch(this.maxMegabytes))
  }
}

const readTooMuch = (megabytes: number): PublicError =>
  new PublicError(
    'cost_limit_exceeded',
    `The operation reads more than ${megabytes} MB. Request smaller pages, or leave out large members such as \`raw\`.`,
  )
