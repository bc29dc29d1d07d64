import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createSessionCookie } from '../../../src/http/dashboard/session-cookie.ts'

const HOST = 'fleet.example:4000'
const OWN = 'http://fleet.example:4000'

/** Returns the Authorization header that a request with the cookie gets. */
function authorizationOf(method: string, headers: object, publicUrl?: string): string | undefined {
  const session = createSessionCookie(publicUrl)
  const cookie = session.stored('ses_tkn_1', 60).split(';')[0]
  const request = { method, headers: { host: HOST, cookie, ...headers } } as unknown as IncomingMessage
  session.authorize(request)
  return request.headers.authorization
}

describe.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('the cookie in a %s', (method) => {
  test.each([
    { origin: OWN },
    { 'sec-fetch-site': 'same-origin' },
    { origin: OWN, 'sec-fetch-site': 'same-origin' },
  ])('is accepted with proof of an own page: %j', (headers) => {
    expect(authorizationOf(method, headers)).toBe('Bearer ses_tkn_1')
  })

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: `${OWN}.evil.example` },
    { origin: 'https://fleet.example:4001' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': '' },
    { origin: OWN, 'sec-fetch-site': 'cross-site' },
    { origin: OWN, 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ])('is ignored otherwise: %j', (headers) => {
    expect(authorizationOf(method, headers)).toBeUndefined()
  })

  test('is accepted without any proof for a read only', () => {
    const isRead = method === 'GET' || method === 'HEAD'
    expect(authorizationOf(method, {})).toBe(isRead ? 'Bearer ses_tkn_1' : undefined)
  })
})

test('a websocket needs proof, because it can write', () => {
  expect(authorizationOf('GET', { upgrade: 'websocket' })).toBeUndefined()
  expect(authorizationOf('GET', { upgrade: 'websocket', origin: OWN })).toBe('Bearer ses_tkn_1')
})

test('behind a proxy, the origin is that of the public URL', () => {
  const accepted = (origin: string) =>
    authorizationOf('POST', { origin }, 'https://api.example.com/telematics') !== undefined
  expect(accepted('https://api.example.com')).toBe(true)
  expect(accepted('https://evil.example')).toBe(false)
  expect(accepted('http://api.example.com')).toBe(false)
  // The host of the request, over plain http.
  expect(accepted(OWN)).toBe(false)
})

test('the header goes before the cookie', () => {
  expect(authorizationOf('POST', { origin: OWN, authorization: 'Bearer sk_1' })).toBe('Bearer sk_1')
})
