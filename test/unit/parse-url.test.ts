import { expect, test } from 'vitest'
import { parseUrl } from '../../src/platform/parse-url.ts'

test('an address with letters of other languages is one however often it is parsed', () => {
  const refused = Array.from({ length: 20_000 }, () => parseUrl('https://bücher.example/Zoë')).filter(
    (url) => url?.href !== 'https://xn--bcher-kva.example/Zo%C3%AB',
  )
  expect(refused).toEqual([])
})

test('a text that is no address is null, and a path is one with what it stands behind', () => {
  expect(parseUrl('fleet.example')).toBe(null)
  expect(parseUrl('https://:80')).toBe(null)
  expect(parseUrl('/vehicles')).toBe(null)
  expect(parseUrl('/vehicles', 'https://fleet.example')?.href).toBe('https://fleet.example/vehicles')
})
