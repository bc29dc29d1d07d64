import { expect, test } from 'vitest'
import { withoutEcho } from '../../src/providers/without-echo.ts'

test('what a provider says again of the credentials that it was asked with is taken out', () => {
  const headers = { authorization: 'Bearer not-a-real-key-1' }
  expect(withoutEcho('{"error":"not-a-real-key-1 is unknown"}', headers)).toBe('{"error":"… is unknown"}')
})

test('what is too short to be a credential is left: it stands in texts by chance', () => {
  expect(withoutEcho('{"unit":"km"}', { authorization: 'Bearer km' })).toBe('{"unit":"km"}')
  expect(withoutEcho('{"unit":"km"}', {})).toBe('{"unit":"km"}')
})
