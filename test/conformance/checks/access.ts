import { catalogue, type Operation, operationOf, specified } from '../catalogue.ts'
import { check, type Check, equals, fail, holds } from '../check.ts'
import { pathOf, unknownPathOf } from '../paths.ts'
import {
  type Answer,
  rowOf,
  type Sent,
  some,
  type Subject,
  textAt,
  responseText,
  valueAt,
  withQuery,
} from '../subject.ts'
import { errorProblem, refused } from './errors.ts'

/** Parts 0, 4, 4.1, 5, 7 and 9: authentication, paths and rate limits. */

const MINUTE_MS = 60_000

const UNKNOWN_KEY = `sk_sandbox_${'0'.repeat(32)}`
const UNKNOWN_TOKEN = `con_tkn_${'0'.repeat(32)}`

/** Sends a request without effect: unknown ids and an empty body. */
const harmless = (subject: Subject, operation: Operation, sent: Sent): Promise<Answer> =>
  subject.send(
    operation.method,
    withQuery(unknownPathOf(operation) ?? operation.path, operation.always ?? {}),
    {
      ...(operation.method === 'GET' || operation.method === 'DELETE' ? {} : { body: {} }),
      ...sent,
    },
  )

const perOperation = catalogue.flatMap((operation) => [
  ...(operation.needs === 'nothing'
    ? []
    : [
        check(
          '4-authorization',
          async (subject) => void refused(await harmless(subject, operation, { key: null }), 401),
          operation.slug,
        ),
      ]),
  ...(operation.needs === 'token'
    ? [
        check(
          '4-connection-token',
          async (subject) => void refused(await harmless(subject, operation, { token: null }), 403),
          operation.slug,
        ),
      ]
    : []),
])

/** Expects each operation of 4.1 to accept the documented headers; writes are only checked for existence. */
const isThere = (operation: Operation) =>
  check(
    '4.1-operation',
    async (subject) => {
      if (operation.method !== 'GET') {
        const body = operation.slug === 'exchange' ? {} : { status: 'nonsense' }
        const token = operation.needs === 'key' ? { token: null } : {}
        return void refused(await subject.send(operation.method, operation.path, { body, ...token }), 400)
      }
      const token = operation.needs === 'token' ? {} : { token: null }
      const answer = await subject.get(await pathOf(subject, operation), token)
      holds(answer.status === 200, responseText(answer))
    },
    operation.slug,
  )

const answersGet = (statement: string, slug: string) =>
  check(
    statement,
    async (subject) => {
      const answer = await subject.get(await pathOf(subject, operationOf(slug)))
      holds(answer.status === 200, responseText(answer))
    },
    slug,
  )

const ofInterface415 = ['vehicles', 'trailers', 'groups', 'devices', 'daily-logs', 'track', 'stats', 'sync']
const ofGaps = [
  'driver',
  'available-time',
  'safety-event',
  'camera-media',
  'trailer-locations',
  'utilization',
  'issues',
]
const ofPart1 =
  'vehicles drivers trailers groups devices trips hos-logs daily-logs safety-events fault-codes locations track stats ifta'.split(
    ' ',
  )

/**
 * Sends many requests at once, and checks the responses that refuse them. It passes if none is refused, because the
 * rate limit of the service is not known. An overloaded service responds 503.
 */
async function burst(subject: Subject): Promise<string> {
  const answers = await Promise.all(Array.from({ length: 300 }, () => subject.get('/groups?limit=1')))
  const refusals = answers.filter(({ status }) => status !== 200)
  for (const answer of refusals) {
    const { status } = answer
    if (status !== 503) equals(status, 429, responseText(answer))
    holds(/^\d+$/.test(answer.headers.get('retry-after') ?? ''), 'Retry-After is no whole number of seconds')
    const problem = errorProblem(status, answer.body)
    if (problem) fail(problem)
    holds(Number.isInteger(rowOf(answer)['retryAfter']), 'retryAfter is no integer')
  }
  return `${refusals.length} of ${answers.length} concurrent requests were refused with Retry-After`
}

const rest = [
  check('0-under-the-version', outsideTheVersion),
  check('9-path', outsideTheVersion),
  check('0-timestamps', async (subject) => {
    const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/
    for (const path of ['/drivers', '/trips', '/vehicles/locations', '/connections'])
      for (const [, name, value] of JSON.stringify(await subject.page(path)).matchAll(/"(\w+At)":"([^"]*)"/g))
        holds(iso.test(value ?? ''), `${name} of ${path} is ${value}`)
  }),
  check('0-list-shape', async (subject) => {
    const { results, next } = await subject.page('/drivers?limit=1')
    holds(
      results.length <= 1 && (next === undefined || typeof next === 'string'),
      'the list has another shape',
    )
  }),
  check('1-one-connection', async (subject) => {
    const [one, again] = [await subject.ok('/connections/current'), await subject.ok('/connections/current')]
    equals([one['id'], one['token']], [again['id'], subject.access.token], 'the connection of the token')
    holds(typeof valueAt(one, 'provider.code') === 'string', 'the connection names no provider')
  }),
  check('1-link-url', async (subject) => {
    const connection = await subject.ok('/connections/current')
    const { pathname, searchParams } = new URL(textAt(connection, 'linkUrl'))
    holds(pathname.endsWith(`/connection/${textAt(connection, 'id')}`), `the path is ${pathname}`)
    holds((searchParams.get('key') ?? '').startsWith('pk_'), 'it has no publishable key in `key`')
  }),
  check('4-connection-token-pattern', async (subject) => {
    for (const token of ['nonsense', 'con_tkn_', 'pub_tkn_0123456789012345678901234567'])
      refused(await subject.get('/drivers', { token }), 403)
  }),
  check('5-secret-key', async (subject) => {
    refused(await subject.get('/connections', { key: UNKNOWN_KEY }), 401)
    equals((await subject.get('/connections', { token: null })).status, 200, 'with the key')
  }),
  check(
    '5-token-required',
    async (subject) => void refused(await subject.get('/trips', { token: null }), 403),
  ),
  check('5-key-alone', async (subject) => {
    for (const path of ['/connections', '/providers'])
      equals((await subject.get(path, { token: null })).status, 200, path)
    const body = { publicToken: `pub_tkn_${'0'.repeat(32)}` }
    refused(await subject.send('POST', '/public-token/exchange', { body, token: null }), 404)
  }),
  check('4.8-current', async (subject) => {
    const { headers } = await subject.get('/vehicles/locations?limit=1')
    const now = Date.parse(headers.get('date') ?? new Date().toISOString())
    const rows = some(await subject.allNow('/vehicles/locations'), 'location')
    const newest = Math.max(...rows.map((row) => Date.parse(textAt(row, 'locatedAt'))))
    holds(now - newest < MINUTE_MS, `the newest is ${(now - newest) / 1000} s old`)
  }),
  check('7-retry-after', burst),
  check('9-no-header', async (subject) => {
    const headers = { 'accept-version': '2', 'api-version': '2', accept: 'application/json;version=2' }
    equals(
      (await subject.get('/drivers?limit=1', { headers })).status,
      200,
      'with headers that name a version',
    )
  }),
  check('9-deprecated-served', async (subject) => {
    const rows = await subject.all('/vehicles')
    some(
      rows.filter((row) => typeof row['fuelEfficiency'] === 'number'),
      'vehicle with fuelEfficiency',
    )
  }),
  check('d6-no-key', async (subject) => {
    refused(await subject.get('/connections', { key: null }), 401)
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      'Basic abc',
      'Bearer nonsense',
      `Bearer ${UNKNOWN_KEY}`,
    ])
      refused(await subject.get('/connections', { key: null, headers: { authorization } }), 401)
  }),
  check('d6-wrong-kind-of-key', async (subject) => {
    const { detail: token } = refused(await subject.get('/connections', { key: UNKNOWN_TOKEN }), 401)
    holds(/connection token/i.test(String(token)), `the detail is ${String(token)}`)
    const publishable = `pk_sandbox_${'0'.repeat(32)}`
    const { detail } = refused(await subject.get('/connections', { key: publishable }), 401)
    holds(/publishable/i.test(String(detail)), `the detail is ${String(detail)}`)
  }),
  check('d6-bad-token', async (subject) => {
    for (const token of [null, 'nonsense', UNKNOWN_TOKEN, `con_tkn_${'x'.repeat(2000)}`])
      refused(await subject.get('/drivers', { token }), 403)
  }),
  check('a40-without-key', async (subject) => {
    const answer = await subject.get('/providers', { key: null, token: null })
    holds(Array.isArray(answer.body), responseText(answer))
    refused(await subject.get('/providers', { key: UNKNOWN_KEY }), 401)
  }),
]

async function outsideTheVersion(subject: Subject): Promise<void> {
  for (const path of ['/drivers', '/v1/drivers', '/tsp/drivers', '/tsp/v2/drivers']) {
    const url = subject.access.url + path
    const { status } = await fetch(url, { headers: { authorization: `Bearer ${subject.access.key}` } })
    equals(status, 404, url)
  }
  equals((await subject.get('/tsp/v1/drivers?limit=1')).status, 200, '/tsp/v1/drivers')
}

export const accessChecks: readonly Check[] = [
  ...rest,
  ...perOperation,
  ...specified.map(isThere),
  ...ofPart1.map((slug) => answersGet('1-one-interface', slug)),
  ...ofInterface415.map((slug) => answersGet('4.15-path', slug)),
  ...ofGaps.map((slug) => answersGet('g3.4-operation', slug)),
]
