import { createHash } from 'node:crypto'

/** Returns the SHA-256 hash of a text in base64url: 43 characters. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
