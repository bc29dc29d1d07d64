import type { Dialect } from './dialect.ts'
import type { Where } from './where.ts'

/**
 * Condition: the value of an expression contains the text. Upper and lower case are the same for every letter whose
 * cases are one character each, such as é and É. The databases fold case differently, so the pattern lists both cases.
 * Without a value, the condition is not true.
 */
export const containsText = (dialect: Dialect, expression: string, text: string): Where => ({
  sql: `${expression} ${dialect === 'mysql' ? 'REGEXP' : 'GLOB'} ?`,
  parameters: [dialect === 'mysql' ? regexpOf(text) : globOf(text)],
})

const regexpOf = (text: string): string =>
  patternOf(text, (character) => character.replace(/[\\^$.|?*+()[\]{}]/, '\\$&'))

const globOf = (text: string): string =>
  `*${patternOf(text, (character) => (/[*?[]/.test(character) ? `[${character}]` : character))}*`

/** Returns a pattern with the cases of each letter as a class. `literal` escapes other characters. */
const patternOf = (text: string, literal: (character: string) => string): string =>
  Array.from(text, (character) => {
    const cases = casesOf(character)
    return cases.length > 1 ? `[${cases.join('')}]` : literal(character)
  }).join('')

function casesOf(character: string): string[] {
  const upper = character.toUpperCase()
  const cases = [character, upper, character.toLowerCase(), upper.toLowerCase()]
  return [...new Set(cases)].filter((each) => Array.from(each).length === 1)
}
