import { createHmac, timingSafeEqual } from 'node:crypto'

/** Values of the sort columns of one row, in the order of the list. */
export type SortKey = readonly (string | number | null)[]

/** Signs and verifies the cursors of one list, for one caller and one parent. */
export interface Cursors {
  seal(key: readonly unknown[]): string
  /** Returns the key of a cursor; null unless `seal` created exactly this text. */
  open(cursor: string): SortKey | null
}

const MAC_BYTES = 9

/** Keys for cursors: the first one signs, a signature of any of them is valid. */
export type CursorKey = readonly Buffer[]

/** Creates cursors: the key of a row with a MAC over the key and the scope. A cursor is valid in its scope only. */
export function cursorsOf(scope: () => string, columns: number, cursorKey: CursorKey): Cursors {
  let known: string | undefined
  const [signing = Buffer.alloc(0)] = cursorKey
  const macOf = (body: Buffer, key: Buffer): Buffer =>
    createHmac('sha256', key)
      .update((known ??= scope()))
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
      // Decoding ignores stray bits and invalid characters; comparing with the re-encoded bytes does not.
      if (mac.length < MAC_BYTES || bytes.toString('base64url') !== cursor) return null
      return cursorKey.some((signer) => timingSafeEqual(mac, macOf(body, signer)))
        ? keyIn(body.toString(), columns)
        : null
    },
  }
}

function keyIn(text: string, columns: number): SortKey | null {
  const key = parsed(text)
  return Array.isArray(key) && key.length === columns && key.every(isPlain) ? key : null
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
