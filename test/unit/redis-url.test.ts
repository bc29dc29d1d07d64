import { expect, test } from 'vitest'
import { parseRedisUrl } from '../../src/platform/config/redis-url.ts'

const server = { host: 'cache', port: 6379, username: '', password: '', db: 0 }

test.each([
  ['redis://cache', server],
  ['redis://cache/', server],
  ['redis://cache:7000/15', { ...server, port: 7000, db: 15 }],
  ['redis://[::1]:7000', { ...server, host: '::1', port: 7000 }],
  ['redis://fleet:p%2Fw%25@cache', { ...server, username: 'fleet', password: 'p/w%' }],
  ['redis://:pw@cache', { ...server, password: 'pw' }],
  ['redis://:@cache', server],
  ['redis://fleet@cache', { ...server, username: 'fleet' }],
  ['redis://fleet:@cache', { ...server, username: 'fleet' }],
  ['rediss://cache/1', { ...server, db: 1, tls: {} }],
  ['REDISS://cache', { ...server, tls: {} }],
])('%s', (url, expected) => {
  expect(parseRedisUrl(url)).toEqual(expected)
})

const WHOLE = 'the database after the host must be a whole number'
const ENCODE = 'the user or the password contains / ? # or @, which must be written as %2F, %3F, %23 and %40'

test.each([
  ['redis:cache', 'must be a URL that starts with redis:// or rediss://'],
  ['cache:6379', 'must be a URL that starts with redis:// or rediss://'],
  ['redis://cache:port', 'must be a URL that starts with redis:// or rediss://'],
  ['redis:///1', 'must name a host'],
  ['redis://cache/abc', WHOLE],
  ['redis://cache/1/', WHOLE],
  ['redis://cache/-1', WHOLE],
  ['redis://cache/1.5', WHOLE],
  ['redis://cache/1e1', WHOLE],
  ['redis://cache/0x1', WHOLE],
  ['redis://cache/99999999999', WHOLE],
  ['redis://cache?db=99', 'must not have parameters (?)'],
  ['redis://cache/1?family=6', 'must not have parameters (?)'],
  ['redis://cache#1', 'must not have a fragment (#)'],
  ['redis://:hid%den@cache', 'a % in the user, the password or the path must be written as %25'],
  ['redis://:hidd%en%@cache', 'a % in the user, the password or the path must be written as %25'],
  ['redis://fleet:1/hidden@cache', ENCODE],
  ['redis://:hidden/2@cache:6379/1', ENCODE],
  ['redis://:hidden?x=1@cache', ENCODE],
  ['redis://:hidden#1@cache', ENCODE],
  ['redis://:hid@den@cache', ENCODE],
])('%s is refused, and the error has no password', (url, message) => {
  expect(() => parseRedisUrl(url)).toThrow(message)
  expect(() => parseRedisUrl(url)).not.toThrow(/hid|den/)
})
