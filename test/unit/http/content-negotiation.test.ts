import { expect, test } from 'vitest'
import { preferredEncoding } from '../../../src/http/content-negotiation.ts'

const available = ['zstd', 'br', 'gzip']

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['deflate', 'identity'],
  // The order of the server decides among equal weights.
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['*', 'zstd'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  // Weights decide before it.
  ['gzip;q=1.0, br;q=0.9, zstd;q=0.1', 'gzip'],
  ['zstd;q=0, *', 'br'],
  ['*;q=0.1, gzip;q=0.2', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip;q=0.4', 'identity'],
  ['gzip;q=0.5', 'gzip'],
  // Refused encodings.
  ['gzip;q=0', 'identity'],
  ['gzip;q=0, br', 'br'],
  ['*;q=0', 'identity'],
  ['*;q=0, gzip', 'gzip'],
  ['identity;q=0', 'identity'],
  ['identity;q=0, deflate', 'identity'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity;q=0, *;q=0', 'identity'],
  // Invalid headers.
  ['gzip;q=high', 'identity'],
  [',;,=;q', 'identity'],
])('Accept-Encoding: %s prefers %s', (header, encoding) => {
  const headers = header === undefined ? {} : { 'accept-encoding': header }
  expect(preferredEncoding({ headers }, available)).toBe(encoding)
})
