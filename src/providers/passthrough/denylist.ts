import type { PassedRequest } from '../provider-api.ts'
import { isObject } from '../mapping/is-object.ts'
import { queryNames, pathSegments } from './url-parsing.ts'

/** What outlives a connection where it is told or set, so that whoever may pass requests does not come by it. */
export interface DeniedContent {
  /** What hands out secrets: the words of a path that it is under, and why it is refused, in words for the caller. */
  readonly secrets: { readonly under: readonly string[]; readonly refusal: string }
  /** Who signs in: the word of a path that they are under, and the members of one that sign in with. */
  readonly people: {
    readonly under: string
    readonly credentials: readonly string[]
    readonly refusal: string
  }
}

/** Why a request is not passed to a provider; null where it is. */
export const createDenylist =
  ({ secrets, people }: DeniedContent) =>
  (request: PassedRequest): string | null => {
    const words = pathSegments(request.path)
    if (!words || words.some((word) => secrets.under.includes(word))) return secrets.refusal
    return words.includes(people.under) && setsAnyOf(people.credentials, request) ? people.refusal : null
  }

/** Also where nobody can tell. */
function setsAnyOf(credentials: readonly string[], { path, headers, body }: PassedRequest): boolean {
  const asked = queryNames(path)
  const written = body === null ? [] : isJson(headers) ? namesInBody(body) : null
  if (!asked || !written) return true
  return [...asked, ...written].some((name) => credentials.includes(name.trim().toLowerCase()))
}

/** Of JSON as which nobody can read it, a server may read something else. */
const isJson = (headers: PassedRequest['headers']): boolean =>
  Object.entries(headers).every(
    ([name, value]) => name.toLowerCase() !== 'content-type' || /^application\/json\s*(;|$)/i.test(value),
  )

/** The names of all members of an object in JSON; null where it is none. */
function namesInBody(body: string): string[] | null {
  const names: string[] = []
  try {
    const object: unknown = JSON.parse(body, (name, value: unknown) => {
      names.push(name)
      return value
    })
    return isObject(object) ? names : null
  } catch {
    return null
  }
}
