import { createHmac, timingSafeEqual } from 'node:crypto'

/** Values of one row in the sort columns of a list, in the order of these columns. */
export type SortKey = readonly (string | number | null)[]

/** Signs and verifies the cursors of one list, for one caller and one parent, such as a vehicle. */
export interface Cursors {
  seal(key: readonly unknown[]): string
  /** Returns the key of a cursor; null unless `seal` created exactly this text. */
  open(cursor: string): SortKey | null
}

const MAC_BYTES = 9

/** Keys for cursors. The first key signs; a signature of any key is valid, so that the first one can be replaced. */
export type CursorKey = readonly Buffer[]

/**
 * Creates cursors: the sort key of a row with a MAC over the key and the scope. A cursor is valid in its scope only.
 */
export function cursorsOf(scope: () => string, columnCount: number, cursorKey: CursorKey): Cursors {
  let scopeText: string | undefined
  const [signing = Buffer.alloc(0)] = cursorKey
  const macOf = (body: Buffer, key: Buffer): Buffer =>
    createHmac('sha256', key)
      .update((scopeText ??= scope()))
      .update(body)
      .digest()
      .subarray(0, MAC_BYTES)
  return {
    seal(key) {
      const body = Buffer.from(JSON.stringify(key))
      return Buffer.concat([macOf(body, signing), body]).toString('base64url')
    },
    open(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
      // Decoding ignores stray bits and invalid characters, so the re-encoded bytes must equal the cursor.
      if (mac.length < MAC_BYTES || bytes.toString('base64url') !== cursor) return null
      return cursorKey.some((signer) => timingSafeEqual(mac, macOf(body, signer)))
        ? keyIn(body.toString(), columnCount)
        : null
    },
  }
}

function keyIn(text: string, columnCount: number): SortKey | null {
  const key = parsed(text)
  return Array.isArray(key) && key.length === columnCount && key.every(isPlain) ? key : null
}

const isPlain = (value: unknown): value is string | number | null =>
  value === null || typeof value === 'string' || typeof value === 'number'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
