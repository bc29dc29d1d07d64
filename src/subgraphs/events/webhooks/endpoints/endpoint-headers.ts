import { invalidMember } from '../../../../domain/errors.ts'
import { type EndpointHeader, isAuthorization, isBasicAuthentication } from '../webhook-header.ts'

const MAX_HEADERS = 10
const MAX_NAME_LENGTH = 100
const MAX_VALUE_LENGTH = 1000

/** Token of HTTP (RFC 9110). */
const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
/** Visible ASCII characters, with spaces between them. */
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/

/** Headers that the sender or its HTTP client sets, and headers of one connection. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'accept-encoding',
  'baggage',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])
const RESERVED_PREFIXES = ['proxy-', 'svix-', 'webhook-']

/** Throws an error that names the first invalid header. No error contains a value. */
export function validateHeaders(headers: readonly EndpointHeader[] | null | undefined): void {
  if (headers == null) return
  if (headers.length > MAX_HEADERS) throw tooMany()
  const names = new Set<string>()
  for (const [index, header] of headers.entries()) {
    validateHeader(header, index)
    const name = header.name.toLowerCase()
    if (names.has(name))
      throw invalid(`The header \`${header.name}\` occurs twice; upper and lower case are the same.`)
    names.add(name)
  }
}

function validateHeader({ name, value }: EndpointHeader, index: number): void {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name))
    throw invalid(
      `The name of header ${index + 1} must be 1 to ${MAX_NAME_LENGTH} letters, digits, hyphens or other characters of an HTTP token.`,
    )
  if (isReserved(name.toLowerCase())) throw invalid(`The header \`${name}\` is reserved for the service.`)
  if (value.length > MAX_VALUE_LENGTH || !VALUE.test(value))
    throw invalid(
      `The value of the header \`${name}\` must be 1 to ${MAX_VALUE_LENGTH} visible ASCII characters, with spaces only between them.`,
    )
}

const isReserved = (name: string): boolean =>
  RESERVED_NAMES.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix))

export interface HeaderChange {
  /** New headers, which replace all others. Undefined leaves them. */
  readonly headers: readonly EndpointHeader[] | null | undefined
  /** Header with the user name and the password of the new URL. */
  readonly authorization: EndpointHeader | null
}

/**
 * Returns the headers of an endpoint after a change. Credentials of a new URL replace those of an earlier URL, but never
 * an `authorization` header of another kind.
 */
export function headersAfter(
  before: readonly EndpointHeader[],
  { headers, authorization }: HeaderChange,
): readonly EndpointHeader[] {
  const given = headers?.map(({ name, value }) => ({ name, value })) ?? []
  if (authorization === null) return headers === undefined ? before : given
  const kept = headers === undefined ? before.filter((header) => !isBasicAuthentication(header)) : given
  if (kept.some(isAuthorization))
    throw invalidMember(
      'url',
      'The user name and the password in `url` become the header `authorization`, but `headers` has one too.',
    )
  if (kept.length >= MAX_HEADERS) throw tooMany()
  if (authorization.value.length > MAX_VALUE_LENGTH)
    throw invalidMember('url', 'The user name and the password in `url` are too long.')
  return [...kept, authorization]
}

const tooMany = () =>
  invalid(
    `An endpoint can have at most ${MAX_HEADERS} headers. The user name and the password of its \`url\` count as one.`,
  )

const invalid = (message: string) => invalidMember('headers', message)
