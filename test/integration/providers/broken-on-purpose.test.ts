import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { type Mutant, applyMutant, nameOf } from '../../prove/broken-on-purpose/mutant.ts'
import { mutants } from '../../prove/broken-on-purpose/broken-on-purpose.ts'
import { listTests } from '../../prove/broken-on-purpose/list-tests.ts'

const mutant: Mutant = {
  description: 'a knot is a mile per hour',
  provider: 'traccar',
  kind: 'unit',
  file: 'src/domain/units.ts',
  text: '* 1.852',
  replacement: '* 1.609 // $& is no pattern',
  killedBy: { file: 'test/unit/base.test.ts' },
}

test('a mutant replaces its text literally, without patterns such as $&', () => {
  expect(applyMutant(mutant, 'a * 1.852 b')).toEqual({ source: 'a * 1.609 // $& is no pattern b' })
})

test.each([
  ['nowhere', 'knots', 0],
  ['twice', '* 1.852 * 1.852', 2],
])('a mutant whose text occurs %s in its source file does not apply', (_, source, times) => {
  expect(applyMutant(mutant, source)).toEqual({
    reason: `the text to replace must occur once in src/domain/units.ts, but occurs ${times} times: * 1.852`,
  })
})

test.each(mutants.map((each) => [nameOf(each), each] as const))(
  'the mutant “%s” applies to its source file',
  async (_, mutant) => {
    expect(applyMutant(mutant, await readFile(mutant.file, 'utf8'))).toHaveProperty('source')
  },
)

test('every mutant names tests that exist', async () => {
  const files = new Set(mutants.map(({ killedBy }) => killedBy.file))
  const names = await listTests([...files])
  const withoutTests = mutants.filter(({ killedBy: { file, only = '' } }) => {
    const pattern = new RegExp(only)
    return !names.get(file)?.some((name) => pattern.test(name))
  })
  expect(withoutTests.map((mutant) => [nameOf(mutant), mutant.killedBy])).toEqual([])
})
