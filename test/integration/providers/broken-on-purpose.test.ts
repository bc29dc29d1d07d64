import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { type Break, brokenBy, nameOf } from '../../prove/broken-on-purpose/break.ts'
import { breaks } from '../../prove/broken-on-purpose/broken-on-purpose.ts'

const one: Break = {
  description: 'a knot is a mile per hour',
  provider: 'traccar',
  kind: 'unit',
  file: 'src/domain/units.ts',
  text: '* 1.852',
  replacement: '* 1.609 // $& is no pattern',
  guard: { file: 'test/unit/base.test.ts' },
}

test('a break replaces its text literally', () => {
  expect(brokenBy(one, 'a * 1.852 b')).toEqual({ source: 'a * 1.609 // $& is no pattern b' })
})

test.each([
  ['nowhere', 'knots', 0],
  ['twice', '* 1.852 * 1.852', 2],
])('a break whose text occurs %s is refused, with its file', (_, source, times) => {
  expect(brokenBy(one, source)).toEqual({
    why: `its text occurs ${times} times in src/domain/units.ts, not once: * 1.852`,
  })
})

test.each(breaks.map((each) => [nameOf(each), each] as const))('%s finds its text', async (_, each) => {
  expect(brokenBy(each, await readFile(each.file, 'utf8'))).toHaveProperty('source')
})
