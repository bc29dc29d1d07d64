import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendErrorResponse } from '../../../rest-compat/response/error-response.ts'
import { collapseSlashes } from '../../../rest-compat/mount.ts'
import { INTERNAL_MESSAGE } from '../../../src/domain/errors.ts'
import { type SeededApplication, seedApplication, vehicleRow } from '../../support/factories.ts'
import { headersOf, type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let ours: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  ours = await seedApplication(rest.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
})

afterAll(() => rest[Symbol.asyncDispose]())

describe('existing clients', () => {
  test.each([
    '/tsp/v1//vehicles',
    '//tsp///v1/vehicles?limit=5',
    '/tsp/v1/vehicles/',
    '/tsp/v1//vehicles//locations',
  ])('can request %s', async (path) => {
    expect((await rest.get(path, ours.narrowed(0))).status).toBe(200)
  })

  test.each([
    ['/a//b///c', '/a/b/c'],
    ['/a/b', '/a/b'],
    ['/a//b?c=//d&e=?//', '/a/b?c=//d&e=?//'],
    ['/a?c=//d', '/a?c=//d'],
    ['//', '/'],
    ['http://host//a', 'http://host//a'],
    ['*', '*'],
  ])('have the slashes of %s collapsed', (url, collapsed) => {
    expect(collapseSlashes(url)).toBe(collapsed)
  })

  test('can send a content type without a body', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await rest.get('/vehicles', ours.narrowed(0), headers)).status).toBe(200)
    expect((await rest.get('/providers', null, { ...headers, 'content-length': '0' })).status).toBe(200)
  })

  test('can send unknown headers', async () => {
    expect(
      (await rest.get('/vehicles', ours.narrowed(0), { 'x-application-id': 'app_1', 'accept-version': '9' }))
        .status,
    ).toBe(200)
  })

  test('get the response of GET without its body for HEAD', async () => {
    for (const path of ['/vehicles?expand=groups', '/vehicles?limit=0']) {
      const get = await rest.get(path, ours.narrowed(0))
      const head = await rest.send('HEAD', path, headersOf(ours.narrowed(0)))
      expect([head.status, head.text]).toEqual([get.status, ''])
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
    }
  })
})

describe('a database that fails', () => {
  const CAUSE = 'table vehicles: secret cause'

  test('returns 500 with the id of the request and without the cause', async () => {
    await using broken = await startRest()
    const { client, narrowed } = await seedApplication(broken.db, [() => ({})])
    expect((await broken.get('/vehicles', narrowed(0))).status).toBe(200)
    broken.breakDatabase(CAUSE)
    for (const [path, caller] of [
      ['/vehicles', narrowed(0)],
      ['/connections', client],
      ['/trips?expand=vehicle', narrowed(0)],
    ] as const) {
      const { status, body, text } = await broken.get(path, caller)
      expect([status, body]).toEqual([
        500,
        { code: 'internal_server_error', message: INTERNAL_MESSAGE, detail: expect.stringMatching(/\S/) },
      ])
      expect(text).not.toContain('secret')
      expect(broken.logged.some(({ requestId }) => requestId === body.detail)).toBe(true)
    }
    expect(JSON.stringify(broken.logged)).toContain(CAUSE)
  })

  test('returns 500 also during authentication', async () => {
    await using broken = await startRest()
    const { narrowed } = await seedApplication(broken.db, [() => ({})])
    broken.breakDatabase(CAUSE)
    const { status, body, text } = await broken.get('/vehicles', narrowed(0))
    expect([status, body.code, text.includes('secret')]).toEqual([500, 'internal_server_error', false])
    expect((await broken.get('/providers')).status).toBe(200)
  })
})

test('a record that no type can represent returns 500', async () => {
  const { narrowed } = await seedApplication(rest.db, [
    (owner) => ({ vehicles: [vehicleRow(owner, { status: 'sleeping' as never })] }),
  ])
  const { status, body } = await rest.get('/vehicles', narrowed(0))
  expect([status, body.message]).toEqual([500, INTERNAL_MESSAGE])
})

test.each([
  ['%zz', 400, { code: 'bad_request', message: 'The request cannot be read.' }],
  ['x'.repeat(200), 404, { code: 'not_found', message: 'There is no such path.' }],
])('the error handler rewrites the errors of Fastify: %.10s', async (id, status, body) => {
  const app = fastify({ frameworkErrors: sendErrorResponse })
  app.get('/vehicles/:id', () => 'not reached')
  const answer = await app.inject(`/vehicles/${id}`)
  expect([answer.statusCode, answer.json()]).toEqual([status, body])
})
