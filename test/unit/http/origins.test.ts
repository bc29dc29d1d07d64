import { describe, expect, test } from 'vitest'
import { mayConnect } from '../../../src/http/cors.ts'
import { isCrossOrigin } from '../../../src/link/request-context.ts'

describe.each([
  ['https://fleet.example', 'fleet.example'],
  ['https://fleet.example', 'fleet.example:443'],
  ['http://fleet.example', 'fleet.example:80'],
  ['https://fleet.example:443', 'fleet.example'],
  ['http://fleet.example:80', 'fleet.example'],
  ['https://fleet.example', 'FLEET.Example'],
  ['HTTPS://Fleet.EXAMPLE', 'fleet.example:443'],
  ['http://fleet.example:8080', 'Fleet.example:8080'],
  ['https://xn--bcher-kva.example', 'xn--bcher-kva.example:443'],
  ['http://[2001:DB8::1]', '[2001:db8:0:0::1]:80'],
  ['http://127.0.0.1:8080', '127.0.0.1:8080'],
])('a page of %s', (origin, host) => {
  test(`is a page of the host ${host}`, () => {
    expect(mayConnect({ headers: { origin, host } }, [])).toBe(true)
    expect(isCrossOrigin({ headers: { origin }, host })).toBe(false)
  })
})

describe.each([
  ['https://fleet.example', 'fleet.example:80'],
  ['http://fleet.example', 'fleet.example:443'],
  ['https://fleet.example:8443', 'fleet.example'],
  ['https://other.example', 'fleet.example'],
  ['https://fleet.example.evil.example', 'fleet.example'],
  ['https://evil.example', 'fleet.example@evil.example'],
  ['https://evil.example', 'evil.example/fleet.example'],
  ['null', 'null'],
  ['null', 'fleet.example'],
  ['', 'fleet.example'],
  ['fleet.example', 'fleet.example'],
  ['data:text/html,x', 'fleet.example'],
  ['file://', 'fleet.example'],
  ['file://', ''],
])('a page of `%s`', (origin, host) => {
  test(`is no page of the host \`${host}\``, () => {
    expect(mayConnect({ headers: { origin, host } }, [])).toBe(false)
    expect(isCrossOrigin({ headers: { origin }, host })).toBe(true)
  })
})

test('an allowed origin is compared without its default port and in lower case', () => {
  const connects = (origin: string, allowed: readonly string[]) =>
    mayConnect({ headers: { origin, host: 'api.example' } }, allowed)
  expect(connects('https://APP.example:443', ['https://app.example'])).toBe(true)
  expect(connects('https://app.example:8443', ['https://app.example'])).toBe(false)
  expect(connects('http://app.example', ['https://app.example'])).toBe(false)
  expect(connects('chrome-extension://app', ['https://app.example'])).toBe(false)
  expect(connects('null', ['https://app.example'])).toBe(false)
  expect(connects('null', ['*'])).toBe(true)
})
