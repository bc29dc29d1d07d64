import { createConfig, lintFromString } from '@redocly/openapi-core'
import { isEnumType, getNamedType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { parameterOf } from '../../../rest-compat/request/variable-names.ts'
import { paramOverrides } from '../../../rest-compat/openapi/param-overrides.ts'
import { completeRoute } from '../../../rest-compat/response/record-selection.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { compose } from '../../../src/gateway/compose.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'
import { unknownId } from '../../support/factories.ts'
import { type Document, documented, type Operation } from '../../support/rest/openapi-validation.ts'
import { nameOf } from '../../support/rest/route-examples.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let document: Document

beforeAll(async () => {
  rest = await startRest()
  document = (await rest.get('/openapi.json')).body
})

afterAll(() => rest[Symbol.asyncDispose]())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  )

test('is served without a key, and returns 304 for a matching etag', async () => {
  const { status, headers, text } = await rest.get('/openapi.json')
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  const etag = String(headers['etag'])
  const again = await rest.get('/openapi.json', null, { 'if-none-match': etag })
  expect([again.status, again.text]).toEqual([304, ''])
  expect((await rest.get('/openapi.json', null, { 'if-none-match': '"other"' })).text).toBe(text)
  expect((await rest.send('POST', '/openapi.json')).status).toBe(405)
})

const schemas = (path: string, headers = {}) => rest.app.inject({ url: `/schemas/events${path}`, headers })

test.each(['', '/vehicle.added', '/safety_event.added'])(
  'the schema /schemas/events%s is served without a key, and returns 304 for a matching etag',
  async (path) => {
    const { statusCode, headers, body } = await schemas(path)
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const again = await schemas(path, { 'if-none-match': headers['etag'] })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await schemas(path, { 'if-none-match': '"other"' })).body).toBe(body)
  },
)

test('there is no schema of an unknown event type', async () => {
  const { statusCode, body } = await schemas('/trip.planned')
  expect([statusCode, JSON.parse(body).code]).toEqual([404, 'not_found'])
})

test('has the body of a webhook for every event type', () => {
  const bodies = Object.entries(document.webhooks).map(([type, { post }]) => [
    type,
    post.requestBody.content['application/json'].schema.$ref.split('/').at(-1),
  ])
  expect(bodies.map(([type]) => type)).toEqual(Object.keys(eventTypes))
  expect(bodies).toContainEqual(['vehicle.location_updated', 'VehicleLocationUpdatedEvent'])
  const { properties } = document.components.schemas['SafetyAddedEvent'] as { properties: object }
  expect(properties).toMatchObject({
    type: { enum: ['safety.added', 'safety_event.added'] },
    detail: {
      properties: {
        connection: { $ref: '#/components/schemas/ConnectionReference' },
        safetyEvent: { $ref: '#/components/schemas/SafetyEventSnapshot' },
      },
      required: ['connection', 'safetyEvent'],
    },
  })
})

test('passes the linter', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

describe('the operations', () => {
  test('are the served routes', () => {
    expect(
      operations()
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted())
  })

  test('have unique ids', () => {
    const ids = operations().map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(
      routes.map((route) => nameOf(route).replace(/^./, (letter) => letter.toLowerCase())).toSorted(),
    )
  })

  test('have all accepted parameters, each with a description', () => {
    const accepted = Object.fromEntries(
      routes.map(({ method, path, params = {}, query }) => [
        `${method} ${path}`,
        [
          ...Object.keys(params),
          ...Object.keys(query.shape),
          ...(method === 'GET' ? [] : ['Idempotency-Key']),
        ],
      ]),
    )
    const published = (operation: Operation) => operation.parameters.map(({ name }) => name)
    expect(Object.fromEntries(operations().map(([name, operation]) => [name, published(operation)]))).toEqual(
      accepted,
    )
    const undescribed = operations().flatMap(([name, { parameters }]) =>
      parameters
        .filter((parameter) => parameter.in === 'query' && !('description' in parameter))
        .map((parameter) => `${name} ${parameter.name}`),
    )
    expect(undescribed).toEqual([])
  })

  test('declare the keys that they need', () => {
    const needs = Object.fromEntries(operations().map(([name, { security }]) => [name, security ?? 'both']))
    for (const { method, path, auth } of routes)
      expect([path, needs[`${method} ${path}`]]).toEqual([
        path,
        {
          connection: 'both',
          key: [{ secretKey: [] }],
          either: [{ secretKey: [] }, { secretKey: [], connectionToken: [] }],
          none: [{}, { secretKey: [] }],
        }[auth],
      ])
  })

  test('declare every error that they can return', () => {
    for (const [name, { responses, requestBody, security }] of operations()) {
      const statuses = Object.keys(responses)
      const expected = ['400', '401', '429', '500', '503', '504']
      if (!security) expected.push('403')
      if (name.includes('{')) expected.push('404')
      if (requestBody) expected.push('413', '415')
      if (!name.startsWith('GET ')) expected.push('409', '422')
      expect([name, expected.filter((status) => !statuses.includes(status))]).toEqual([name, []])
    }
    expect(document.components.responses['TooManyRequests']?.headers).toHaveProperty('Retry-After')
  })
})

test('the response check refuses responses that differ from the document', () => {
  const expectDocumented = documented(routes, compose(subgraphs).apiSchema)
  const group = {
    id: unknownId('group'),
    sourceId: '1',
    provider: 'sandbox',
    metadata: {
      addedAt: '2026-01-01T00:00:00.000Z',
      modifiedAt: '2026-01-01T00:00:00.000Z',
      visibility: 'visible',
    },
  }
  const check =
    (status: number, body: unknown, method = 'GET') =>
    () =>
      expectDocumented(method, '/groups?limit=1', { status, contentType: 'application/json', body })
  check(200, { results: [group] })()
  for (const invalid of [
    { ...group, id: unknownId('driver') },
    { ...group, extra: 1 },
    { ...group, name: null },
    { ...group, metadata: { ...group.metadata, visibility: 'VISIBLE' } },
    { ...group, metadata: { ...group.metadata, addedAt: 'yesterday' } },
    { ...group, parent: { id: unknownId('group') } },
    { ...group, sourceId: undefined },
  ])
    expect(check(200, { results: [invalid] })).toThrow('GET /groups?limit=1 responds 200')
  expect(check(200, { results: [], next: null })).toThrow('responds 200')
  expect(check(418, {})).toThrow('does not document 418')
  expect(check(200, {}, 'POST')).toThrow('to include 200')
})

test('lists the enum values of the GraphQL schema', () => {
  const { apiSchema } = compose(subgraphs)
  for (const route of routes) {
    const types = new TypeInfo(apiSchema)
    visit(
      parse(completeRoute(route, apiSchema).operation),
      visitWithTypeInfo(types, {
        Argument({ value }) {
          const type = getNamedType(types.getInputType())
          if (value.kind !== 'Variable' || !isEnumType(type)) return
          const parameter = route.query.shape[parameterOf(value.name.value)] as z.ZodType
          const { schema } = paramOverrides.get(parameter)!
          const { enum: values } = (schema['items'] ?? schema) as { enum: string[] }
          expect(values.toSorted()).toEqual(
            type
              .getValues()
              .map(({ name }) => name.toLowerCase())
              .toSorted(),
          )
        },
      }),
    )
  }
})

test('names schemas after record types, with references as an id or a whole record', () => {
  const { schemas } = document.components
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining([
      'Vehicle',
      'VehicleId',
      'ExpandableVehicle',
      'Connection',
      'CurrentConnection',
      'Sync',
    ]),
  )
  expect(schemas['ExpandableVehicle']).toEqual({
    oneOf: [{ $ref: '#/components/schemas/VehicleId' }, { $ref: '#/components/schemas/ExpandedVehicle' }],
  })
  expect(schemas['VehicleId']).toMatchObject({ pattern: '^vcl_[0-9A-HJKMNP-TV-Z]{26}$' })
  expect(schemas['FaultCodeEvent']).toMatchObject({
    discriminator: {
      propertyName: 'protocol',
      mapping: {
        j1939: '#/components/schemas/J1939FaultCodeEvent',
        obdii: '#/components/schemas/ObdiiFaultCodeEvent',
      },
    },
  })
})
