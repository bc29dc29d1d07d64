import { expect, test } from 'vitest'
import { csvLine } from '../../../src/cli/csv.ts'

test('a line of a CSV file has no formula, and keeps numbers', () => {
  const fields = [
    '=1+1',
    '@SUM(A1)',
    '-Mart',
    '+Fuel',
    '-1+1',
    -97.7431,
    '-97.7431',
    -1e-7,
    5,
    null,
    'a "b", c',
  ]
  expect(csvLine(fields)).toBe(
    `'=1+1,'@SUM(A1),'-Mart,'+Fuel,'-1+1,-97.7431,-97.7431,-1e-7,5,,"a ""b"", c"\n`,
  )
})
