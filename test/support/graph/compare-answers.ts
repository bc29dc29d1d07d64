import type { Answer, PlainError } from './graph-harness.ts'

/**
 * Returns the differences between two responses to one operation as texts; none if they are equal. Data must
 * be deeply equal. Errors are equal if each position that an error made null has the same errors. If several
 * errors made one position null, the GraphQL specification lets an executor report one or all of them. The
 * responses must then share one error, or the same codes if the order is undefined (`race`).
 */
export function differences(expected: Answer, got: Answer, race = false): string[] {
  const data = [expected, got].map((answer) => JSON.stringify(ordered(answer.data ?? null)))
  const places = [expected, got].map((answer) => errorsByPlace(answer, race))
  const all = new Set(places.flatMap((errors) => [...errors.keys()]))
  return [
    ...(data[0] === data[1] ? [] : [`data: expected ${data[0]}, got ${data[1]}`]),
    ...[...all].flatMap((place) => unlike(place, places[0]?.get(place) ?? [], places[1]?.get(place) ?? [])),
  ]
}

const unlike = (place: string, expected: readonly string[], got: readonly string[]): string[] =>
  expected.some((error) => got.includes(error))
    ? []
    : [`errors of ${place}: expected ${expected.join('; ') || 'none'}, got ${got.join('; ') || 'none'}`]

/** Groups the errors by the path of the position that each made null. */
function errorsByPlace({ data, errors = [] }: Answer, race: boolean): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const error of errors) {
    const place = nulledBy(data, error.path ?? [])
    places.set(place, [...(places.get(place) ?? []), race ? codeOf(error) : reported(error)])
  }
  return places
}

const reported = (error: PlainError): string =>
  `${(error.path ?? []).join('.')} ${codeOf(error)}: ${error.message}`
const codeOf = ({ extensions }: PlainError): string => extensions?.code ?? 'no code'

function nulledBy(data: unknown, path: readonly (string | number)[]): string {
  let at = data
  const place: (string | number)[] = ['(answer)']
  for (const key of path) {
    if (at === null || at === undefined) break
    place.push(key)
    at = (at as Record<string, unknown>)[key]
  }
  return place.join('.')
}

/** Sorts keys: members of a response's objects have no order, and neither have types of a schema. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, field]) => [key, key === 'types' ? byName(field) : ordered(field)] as const,
  )
  return entries.sort(([one], [other]) => (one < other ? -1 : 1))
}

const byName = (types: unknown): unknown =>
  Array.isArray(types) ? types.map((type) => JSON.stringify(ordered(type))).sort() : ordered(types)
