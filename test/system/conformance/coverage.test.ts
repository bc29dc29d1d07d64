import { expect, test } from 'vitest'
import { parts, statements } from '../../conformance/outline.ts'
import { suite } from '../../conformance/suite.ts'

/** All parts of the specification in order. */
const SPECIFIED = [
  ...'1 2 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.11 3.1 3.2 4 5 6 7 8 9'.split(' '),
  ...Array.from({ length: 16 }, (_, at) => `4.${at + 1}`),
]

const statementOf = (id: string): string => id.split('/')[0] ?? ''

test('the outline contains every part of the specification once', () => {
  const outlined = parts.map(({ part }) => part)
  expect(SPECIFIED.filter((part) => !outlined.includes(part))).toEqual([])
  expect(new Set(outlined).size).toBe(outlined.length)
})

test('every statement has a check', () => {
  const checked = new Set(suite.map(({ id }) => statementOf(id)))
  expect(statements.map(({ id }) => id).filter((id) => !checked.has(id))).toEqual([])
})

test('every check belongs to a statement, and to its part', () => {
  const known = new Map(statements.map(({ id, part }) => [id, part]))
  expect(suite.filter(({ id, part }) => known.get(statementOf(id)) !== part).map(({ id }) => id)).toEqual([])
})

test('every check has a unique id', () => {
  const ids = suite.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test('a part without statements gives a reason', () => {
  for (const { part, statements: description, unseen = [] } of parts)
    expect([part, Object.keys(description).length + unseen.length]).not.toEqual([part, 0])
})
