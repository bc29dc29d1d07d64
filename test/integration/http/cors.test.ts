import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../../../src/http/app.ts'
import { mountCors } from '../../../src/http/cors.ts'
import { silent } from '../../support/graph/graph-harness.ts'

const ORIGIN = 'https://app.example.com'

let app: FastifyInstance
beforeAll(async () => {
  app = createApp({ log: silent })
  await mountCors(app, [ORIGIN])
  app.post('/graphql', async () => ({}))
})
afterAll(() => app.close())

describe('a preflight request of an allowed origin', () => {
  test.each([
    'authorization,content-type',
    'apollographql-client-name,apollographql-client-version,x-apollo-operation-name',
    'traceparent,tracestate,baggage,sentry-trace',
    'x-a-header-of-tomorrow',
  ])('may send %s', async (names) => {
    const response = await app.inject({
      method: 'OPTIONS',
      url: '/graphql',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': names,
      },
    })
    expect([response.statusCode, response.headers['access-control-allow-headers']]).toEqual([204, names])
    expect(response.headers['access-control-allow-origin']).toBe(ORIGIN)
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

test('another origin gets no permission', async () => {
  const response = await app.inject({
    method: 'OPTIONS',
    url: '/graphql',
    headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'POST' },
  })
  expect(response.headers['access-control-allow-origin']).toBeUndefined()
})

test.each(['https://APP.example.com', 'https://app.example.com:443'])(
  'the allowed origin may be written as %s',
  async (origin) => {
    const { headers } = await app.inject({ method: 'POST', url: '/graphql', headers: { origin } })
    expect(headers['access-control-allow-origin']).toBe(origin)
  },
)

test('OPTIONS without the headers of a preflight gets 204', async () => {
  expect((await app.inject({ method: 'OPTIONS', url: '/graphql' })).statusCode).toBe(204)
})
