import { expect, test } from 'vitest'
import { addressSet } from '../../src/platform/outbound-http/reserved-ips.ts'
import { NO_PROXIES, remoteAddressOf, type TrustedProxies } from '../../src/platform/remote-address.ts'

const PROXY = '10.0.0.1'
const isProxy = addressSet(['10.0.0.0/8', 'fd00::/8'])

const addressOf = (forwardedFor: string | undefined, proxies: TrustedProxies, socketAddress = PROXY) =>
  remoteAddressOf(
    {
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
      socket: { remoteAddress: socketAddress },
    } as Parameters<typeof remoteAddressOf>[0],
    proxies,
  )

const forms = [
  ['198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:51001', '198.51.100.7'],
  ['"198.51.100.7:51001"', '198.51.100.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['"[2001:db8::1]"', '2001:db8::1'],
  // The last group of an address without brackets is no port.
  ['2001:db8::1:443', '2001:db8::1:443'],
  ['[2001:db8::1%eth0]:443', '2001:db8::1'],
  ['2001:db8::1%25eth0', '2001:db8::1'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['[::FFFF:198.51.100.7]:51001', '198.51.100.7'],
  ['::ffff:c633:6407', '198.51.100.7'],
] as const

test.each(forms)('the client of the header `%s` is %s', (form, address) => {
  for (const proxies of [
    { isProxy, hasOneProxy: false },
    { isProxy: null, hasOneProxy: true },
  ])
    expect(addressOf(`203.0.113.9,\t${form} `, proxies)).toBe(address)
  expect(
    addressOf(`203.0.113.9, ${form}, [fd00::2]:443, "10.0.0.2:80"`, { isProxy, hasOneProxy: false }),
  ).toBe(address)
})

test.each([
  'unknown',
  '_hidden:51001',
  'unix:',
  'for=198.51.100.7',
  '198.51.100',
  '198.51.100.256',
  '198.51.100.7:port',
  '198.51.100.7:51001:1',
  '[198.51.100.7]:1',
  '[2001:db8::1',
  '2001:db8::1]:443',
  '[2001:db8::1]443',
  '[]:443',
  '""',
  '"',
  ':443',
])('after `%s`, which is no address, the last known address counts', (garbage) => {
  const several = { isProxy, hasOneProxy: false }
  expect(addressOf(`198.51.100.7, ${garbage}`, several)).toBe(PROXY)
  expect(addressOf(`198.51.100.7, ${garbage}, 10.0.0.2:8080`, several)).toBe('10.0.0.2')
  expect(addressOf(`198.51.100.7, ${garbage}`, { isProxy: null, hasOneProxy: true })).toBe(PROXY)
})

test('empty members are ignored', () => {
  expect(addressOf(', 198.51.100.7,, 10.0.0.2 , ', { isProxy, hasOneProxy: false })).toBe('198.51.100.7')
  expect(addressOf('198.51.100.7, ,', { isProxy: null, hasOneProxy: true })).toBe('198.51.100.7')
  for (const empty of [undefined, '', ' , '])
    expect(addressOf(empty, { isProxy, hasOneProxy: false })).toBe(PROXY)
})

test('a request of a proxy itself has the address farthest from the service', () => {
  expect(addressOf('10.0.0.3:1, 10.0.0.2:1', { isProxy, hasOneProxy: false })).toBe('10.0.0.3')
})

test.each(['10.0.0.1', '::ffff:10.0.0.1'])('the header of the untrusted sender %s is ignored', (sender) => {
  expect(addressOf('198.51.100.7', NO_PROXIES, sender)).toBe('10.0.0.1')
  expect(addressOf('198.51.100.7', { isProxy: addressSet(['10.0.0.2']), hasOneProxy: false }, sender)).toBe(
    '10.0.0.1',
  )
})

test('a socket without an address, because it is closed, has none', () => {
  expect(addressOf('198.51.100.7', { isProxy, hasOneProxy: false }, '')).toBe('')
})
