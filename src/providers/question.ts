import type { Asked } from './budgets/budget.ts'
import type { Signature } from './signing.ts'

/** What is asked: with a body it is posted. */
export interface Question {
  readonly path: string
  readonly query: Readonly<Record<string, string | number | null>>
  readonly body?: unknown
}

export function urlOf(place: string, { path, query }: Question): URL {
  const url = new URL(place + path)
  for (const [name, value] of Object.entries(query))
    if (value !== null) url.searchParams.set(name, String(value))
  return url
}

export function requestOf({ body }: Question, { headers, bodyOf = unsigned }: Signature) {
  if (body === undefined) return { headers }
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(body)),
  }
}

export const askedOf = ({ path, body }: Question): Asked =>
  body === undefined ? { method: 'GET', path } : { method: 'POST', path, body: JSON.stringify(body) }

const unsigned = (body: unknown): unknown => body

/** A body that is not JSON is the caller's mistake, and the provider's to say so. */
export function signedText(text: string | null, { bodyOf }: Signature): string | null {
  if (text === null || !bodyOf) return text
  try {
    return JSON.stringify(bodyOf(JSON.parse(text)))
  } catch {
    return text
  }
}
