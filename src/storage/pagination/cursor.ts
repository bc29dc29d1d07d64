import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a cursor says: the values of its list's order at one row. */
export type Key = readonly (string | number | null)[]

/** Seals and opens the cursors of one list, of one caller and one parent. */
export interface Cursors {
  seal(key: readonly unknown[]): string
  /** The key of a cursor; null where the text is not exactly one that `seal` gave. */
  open(cursor: string): Key | null
}

const MAC_BYTES = 9

/** What signs cursors: the first key signs, a signature of any of them is good. */
export type CursorKey = readonly Buffer[]

/** A cursor is the key of its row with a code that only this service can make, for this scope alone. */
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
      // Decoding passes over stray bits and what is no letter of the alphabet; encoding again does not.
      if (mac.length < MAC_BYTES || bytes.toString('base64url') !== cursor) return null
      return cursorKey.some((signer) => timingSafeEqual(mac, macOf(body, signer)))
        ? keyIn(body.toString(), columns)
        : null
    },
  }
}

function keyIn(text: string, columns: number): Key | null {
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
