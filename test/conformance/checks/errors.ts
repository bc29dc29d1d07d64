import { catalogue, type Operation, type Takes } from '../catalogue.ts'
import { check, type Check, equals, fail, holds } from '../check.ts'
import { pathOf, unknownId, unknownPathOf } from '../paths.ts'
import {
  type Answer,
  isJsonObject,
  type JsonObject,
  rowOf,
  type Subject,
  responseText,
  withQuery,
} from '../subject.ts'

/** Part g6: error responses. */

const codes: Readonly<Record<number, readonly string[]>> = {
  400: ['bad_request'],
  401: ['unauthorized'],
  403: ['forbidden'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: ['conflict'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  422: ['unprocessable_entity', 'connection_disconnected', 'insufficient_permissions', 'invalid_credentials'],
  429: ['too_many_requests'],
  500: ['internal_server_error'],
  501: ['not_implemented'],
  502: ['bad_gateway'],
  503: ['service_unavailable'],
  504: ['gateway_timeout'],
}

/** Returns the problem of an error body, or null. */
export function errorProblem(status: number, body: unknown): string | null {
  if (!isJsonObject(body)) return 'the body is no object'
  const { code, message, detail } = body
  if (!codes[status]?.includes(String(code))) return `code ${String(code)} does not go with ${status}`
  if (typeof message !== 'string' || message === '') return 'message is no text'
  const others = Object.keys(body).filter(
    (name) => !['code', 'message', 'detail', 'retryAfter'].includes(name),
  )
  if (others.length > 0) return `the body has unexpected members ${others.join(', ')}`
  if (status === 400 || status === 422) return listProblem(detail, status)
  return detail === undefined || typeof detail === 'string' ? null : 'detail is no text'
}

function listProblem(detail: unknown, status: number): string | null {
  if (detail === undefined) return null
  if (status === 422 && typeof detail === 'string') return 'detail is a text'
  if (!Array.isArray(detail)) return 'detail is no list'
  const sound = detail.every(
    (one) => isJsonObject(one) && typeof one['message'] === 'string' && typeof one['path'] === 'string',
  )
  return sound ? null : 'an entry of detail has no message or path'
}

/** Expects an error of this status with a valid body. Returns the body. */
export function refused(answer: Answer, status: number): JsonObject {
  holds(answer.status === status, `${responseText(answer)}: expected ${status}`)
  const problem = errorProblem(status, answer.body)
  if (problem) fail(`${responseText(answer)}: ${problem}`)
  return rowOf(answer)
}

/** Expects status 400 with a problem at this path. Returns the suggestion. */
export function problemIn(answer: Answer, path: string): string | undefined {
  const { detail } = refused(answer, 400)
  const problems = (Array.isArray(detail) ? detail : []).filter(isJsonObject)
  const problem = problems.find((one) => one['path'] === path)
  if (!problem) return fail(`${responseText(answer)}: no entry for ${path}`)
  const { suggestion } = problem
  return typeof suggestion === 'string' ? suggestion : undefined
}

/** Returns values that are invalid for a type of parameter. */
function nonsense(takes: Takes): readonly string[] {
  if (typeof takes !== 'string') return ['nonsense', 'CONNECTED']
  switch (takes) {
    case 'cursor':
      return ['garbage', '%', '💥', 'x'.repeat(3000)]
    case 'limit':
      return ['0', '-1', '1.5', 'ten', '0x10', 'NaN']
    case 'flag':
      return ['maybe', '1', 'TRUE']
    case 'dateTime':
      return ['yesterday', '2026-02-30T00:00:00Z', '2026-01-01T25:00:00Z', '1767225600000']
    case 'date':
      return ['2026-02-30', 'today', '2026-1-1', '2026-01-01T00:00:00Z']
    case 'month':
      return ['2026-13', '2026-00', 'January', '2026-1']
    case 'expand':
      return ['nonsense', 'nonsense,nonsense', ',']
    case 'groupBy':
      return ['driver', 'vehicle,vehicle', ',']
    case 'types':
      return ['nonsense', ',']
    case 'text':
      return []
    default:
      return ['x', unknownId('sync'), `${unknownId('vehicle')},x`]
  }
}

const badParameters = catalogue.flatMap((operation) =>
  Object.entries(operation.query).flatMap(([name, takes]) =>
    nonsense(takes).length === 0
      ? []
      : [
          check(
            'g6-bad-parameter',
            async (subject) => {
              for (const value of nonsense(takes)) {
                const { [name]: _, ...always } = operation.always ?? {}
                const path = await pathOf(subject, { ...operation, always })
                problemIn(await subject.get(withQuery(path, { [name]: value })), `{requestQuery}.${name}`)
              }
            },
            `${operation.slug} ${name}`,
          ),
        ],
  ),
)

const unknownParameters = catalogue
  .filter(({ method }) => method === 'GET')
  .map((operation) =>
    check(
      'd5-unknown-parameter',
      async (subject) => {
        const [known] = Object.keys(operation.query)
        const path = await pathOf(subject, operation)
        const mistyped = known === undefined ? 'nonsense' : `${known}x`
        const suggestion = problemIn(
          await subject.get(withQuery(path, { [mistyped]: 'x' })),
          `{requestQuery}.${mistyped}`,
        )
        if (known !== undefined) equals(suggestion, known, `the suggestion for ${mistyped}`)
      },
      operation.slug,
    ),
  )

const methodsElsewhere = ['PUT', 'PATCH', 'DELETE', 'POST']

const wrongMethod = (path: string) =>
  check(
    'g6-wrong-method',
    async (subject) => {
      for (const method of methodsElsewhere) {
        const answer = await subject.send(method, path, { body: {} })
        holds(answer.status === 404 || answer.status === 405, responseText(answer))
        refused(answer, answer.status)
      }
    },
    path,
  )

async function unknownIdOf(subject: Subject, operation: Operation): Promise<void> {
  for (const path of [unknownPathOf(operation), operation.path.replace(/\{\w+\}/, 'nonsense')])
    refused(await subject.send(operation.method, path ?? ''), 404)
}

const withIds = catalogue.filter((operation) => unknownPathOf(operation) !== null)

export const errorChecks: readonly Check[] = [
  ...badParameters,
  ...unknownParameters,
  ...['/drivers', '/vehicles/locations', '/ifta/summary', '/providers'].map(wrongMethod),
  ...withIds.map((operation) =>
    check(
      operation.slug === 'vehicle' ? 'g6-unknown-id' : 'g3.4-unknown-id',
      (subject) => unknownIdOf(subject, operation),
      operation.slug,
    ),
  ),
  check('g6-unknown-path', async (subject) => {
    for (const path of ['/nonsense', '/vehicles/locations/latest', '/hos', '/drivers/x/y'])
      refused(await subject.get(path), 404)
  }),
  check('g6-body', async (subject) => {
    refused(await subject.get('/drivers?limit=0'), 400)
    refused(await subject.get('/drivers', { key: null }), 401)
    refused(await subject.get('/drivers', { token: null }), 403)
    refused(await subject.get(`/vehicles/${unknownId('vehicle')}`), 404)
  }),
  check('g6-detail-is-text', async (subject) => {
    for (const answer of [
      await subject.get('/drivers', { key: null }),
      await subject.get('/drivers', { token: null }),
    ])
      holds(['string', 'undefined'].includes(typeof rowOf(answer)['detail']), responseText(answer))
  }),
  check('c4-message-is-text', async (subject) => {
    for (const path of ['/drivers?limit=0', '/nonsense', `/vehicles/${unknownId('vehicle')}`])
      equals(typeof rowOf(await subject.get(path))['message'], 'string', `message of ${path}`)
  }),
  check('4.5-status-values', async (subject) => {
    const answer = await subject.send('PATCH', '/connections/current', { body: { status: 'nonsense' } })
    problemIn(answer, '{requestBody}.status')
  }),
  check('4.2-public-token-required', async (subject) => {
    for (const body of [{}, { publicToken: null }, { publicToken: 7 }, { publicToken: '' }])
      problemIn(await subject.send('POST', '/public-token/exchange', { body }), '{requestBody}.publicToken')
  }),
  check('4.2-public-token-pattern', (subject) =>
    malformedToken(subject, ['nonsense', 'pub_tkn_', 'pub_tkn_a b']),
  ),
  check('2-token-public', (subject) => malformedToken(subject, ['con_tkn_0123456789', 'tkn_0123456789'])),
  check('g6-bad-body', async (subject) => {
    for (const body of ['{', '[', '"text', '{"publicToken":}'])
      refused(await subject.send('POST', '/public-token/exchange', { body }), 400)
    for (const body of [[], 'text', 7].map((value) => JSON.stringify(value)))
      refused(await subject.send('POST', '/public-token/exchange', { body }), 400)
  }),
  check('d5-unknown-member', async (subject) => {
    const body = { publicTokn: 'pub_tkn_00000000000000000000000000000000' }
    const answer = await subject.send('POST', '/public-token/exchange', { body })
    equals(problemIn(answer, '{requestBody}.publicTokn'), 'publicToken', 'the suggestion')
  }),
]

async function malformedToken(subject: Subject, tokens: readonly string[]): Promise<void> {
  for (const publicToken of tokens) {
    const answer = await subject.send('POST', '/public-token/exchange', { body: { publicToken } })
    problemIn(answer, '{requestBody}.publicToken')
  }
}
