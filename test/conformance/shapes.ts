import { parseUrl } from '../../src/platform/parse-url.ts'
import { isJsonObject, type JsonObject } from './subject.ts'

/** Checks a value. Returns what is wrong with it, or null. */
export type Shape = (value: unknown) => string | null

const described = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const shape =
  (what: string, fits: (value: unknown) => boolean): Shape =>
  (value) =>
    fits(value) ? null : `${described(value)} is not ${what}`

const matching = (what: string, pattern: RegExp): Shape =>
  shape(what, (value) => typeof value === 'string' && pattern.test(value))

export const text = shape('a string', (value) => typeof value === 'string')
export const number = shape('a number', (value) => typeof value === 'number' && Number.isFinite(value))
export const integer = shape('an integer', Number.isSafeInteger)
export const nonNegativeInteger = shape(
  'a non-negative integer',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
)
export const boolean = shape('a boolean', (value) => typeof value === 'boolean')
export const between = (least: number, most: number): Shape =>
  shape(`from ${least} to ${most}`, (value) => number(value) === null && +value! >= least && +value! <= most)
export const percentage = between(0, 100)
export const dateTime = shape('an ISO 8601 date-time', isDateTime)
export const date = matching('a date YYYY-MM-DD', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)
export const month = matching('a month YYYY-MM', /^\d{4}-(0[1-9]|1[0-2])$/)
export const url = shape('a URL', (value) => typeof value === 'string' && parseUrl(value) !== null)
export const email = matching('an email address', /^[^\s@]+@[^\s@]+$/)
export const phone = matching('a phone number', /^\+?\d{10,14}$/)
export const present = shape('present', (value) => value !== undefined && value !== null)
export const object = shape('an object', isJsonObject)

/** States and territories of the United States, provinces and territories of Canada. */
export const stateCode = matching(
  'the code of a state or province',
  /^(A[BKLRZ]|AS|BC|C[AOT]|D[CE]|FL|FM|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ABDEHINOPST]|N[BCDEHJLMSTUVY]|O[HKNR]|P[AERW]|QC|RI|S[CDK]|T[NX]|UT|V[AIT]|W[AIVY]|YT)$/,
)

export const connectionToken = matching('a connection token', /^con_tkn_\S+$/)

export const id = (prefix: string): Shape =>
  matching(`${prefix}_ and a ULID`, new RegExp(`^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`))

export const oneOf = (...values: readonly string[]): Shape =>
  shape(`one of ${values.join(', ')}`, (value) => typeof value === 'string' && values.includes(value))

export const listOf =
  (item: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) return `${described(value)} is not an array`
    for (const [at, each] of value.entries()) {
      const problem = item(each)
      if (problem) return `[${at}]: ${problem}`
    }
    return null
  }

/** One member of a record. */
export interface Member {
  readonly shape: Shape
  /**
   * Whether records have the member: `required` in all; `expected` in some, otherwise its check is not applicable;
   * `optional` in any number, and its check passes without any.
   */
  readonly presence: 'required' | 'expected' | 'optional'
}

export const required = (shape: Shape): Member => ({ shape, presence: 'required' })
export const expected = (shape: Shape): Member => ({ shape, presence: 'expected' })
export const optional = (shape: Shape): Member => ({ shape, presence: 'optional' })

export type Members = Readonly<Record<string, Member>>

/** Returns the shape of an object with these members; it may have others. */
export const objectOf =
  (members: Members): Shape =>
  (value) => {
    if (!isJsonObject(value)) return `${described(value)} is not an object`
    for (const [name, member] of Object.entries(members)) {
      const problem = problemOf(value, name, member)
      if (problem) return problem
    }
    return null
  }

/** Returns the problem of one member of a record, or null. */
export function problemOf(row: JsonObject, name: string, { shape, presence }: Member): string | null {
  if (!(name in row)) return presence === 'required' ? `${name} is missing` : null
  const problem = shape(row[name])
  return problem === null ? null : `${name}: ${problem}`
}

function isDateTime(value: unknown): boolean {
  const iso = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/
  return typeof value === 'string' && iso.test(value) && !Number.isNaN(Date.parse(value))
}
