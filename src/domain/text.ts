/** SQLite ends a text at U+0000, and half of a surrogate pair has no form in UTF-8. */
const UNSTORABLE = /[\0\p{Cs}]/u

/** Whether every database returns a text as it was stored. */
export const isStorableText = (text: string): boolean => !UNSTORABLE.test(text)

export const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)

/** Whether a text may be an idempotency key: printable ASCII. Other services accept keys of at most 255 characters too. */
export const isIdempotencyKey = (text: string): boolean => /^[\x20-\x7e]{1,255}$/.test(text)
