import { expect, test } from 'vitest'
import { parseUrl } from '../../src/platform/parse-url.ts'

test('a URL with non-ASCII letters is parsed every time', () => {
  const refused = Array.from({ length: 20_000 }, () => parseUrl('https://bücher.example/Zoë')).filter(
    (url) => url?.href !== 'https://xn--bcher-kva.example/Zo%C3%AB',
  )
  expect(refused).toEqual([])
})

test('an invalid URL is null, and a path is resolved against its base', () => {
  expect(parseUrl('fleet.example')).toBe(null)
  expect(parseUrl('https://:80')).toBe(null)
  expect(parseUrl('/vehicles')).toBe(null)
  expect(parseUrl('/vehicles', 'https://fleet.example')?.href).toBe('https://fleet.example/vehicles')
})
