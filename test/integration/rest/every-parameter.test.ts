import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { paramOverrides } from '../../../rest-compat/openapi/param-overrides.ts'
import { type SeededApplication, seedApplication, unknownId, vehicleRow } from '../../support/factories.ts'
import { seedEndpoints } from '../../support/graph/webhook-rows.ts'
import { examples, type Example, withQuery } from '../../support/rest/route-examples.ts'
import { headersOf, type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let ours: SeededApplication
let webhookEndpoint: string

beforeAll(async () => {
  rest = await startRest()
  ours = await seedApplication(rest.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
  webhookEndpoint = await seedEndpoints(rest.db, ours.id, 1)
})

afterAll(() => rest[Symbol.asyncDispose]())

/** Returns values that a parameter must refuse, by its published schema. Free text has none. */
function invalidValuesFor(name: string, parameter: z.ZodType): readonly string[] {
  const { schema } = paramOverrides.get(parameter)!
  if (name === 'cursor') return ['garbage', '%00', '💥']
  if (schema['type'] === 'integer') return ['0', '-1', '1.5', 'ten']
  if (schema['type'] === 'boolean') return ['1', 'TRUE', 'yes']
  if (schema['type'] === 'array') return [',', 'zzz', 'ZZZ,zzz', '%27 OR 1=1 --']
  if (schema['format'] === 'date') return ['2026-02-30', '2026-13-01', '2026-1-1', '2026-01-01T00:00:00Z']
  if (schema['format'] === 'date-time' || schema['anyOf'])
    return ['now', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '1767225600000']
  if (name.endsWith('Month')) return ['2026-13', '2026-1', '2026-01-01', '0000-01']
  if (schema['enum'] || schema['pattern']) return ['zzz', '%00', unknownId('driver')]
  return []
}

const parameters = examples.flatMap((example) =>
  Object.entries(example.route.query.shape).map(([name, parameter]) => ({
    title: `${example.route.path} ${name}`,
    example,
    name,
    invalid: invalidValuesFor(name, parameter as z.ZodType),
  })),
)

const send = ({ method, url, body }: Example, query: string) => {
  const path = url
    .replace(unknownId('vehicle'), ours.connections[0]!.vehicles[0]!.id)
    .replace(unknownId('webhookEndpoint'), webhookEndpoint)
  // The query replaces a parameter that the example already has.
  const [name = ''] = query.split('=')
  const base = path.replace(new RegExp(`(?<=[?&])${name.replaceAll(/[[\]]/g, '')}=[^&]*&?`), '')
  return rest.send(
    method,
    withQuery(base, query).replaceAll(' ', '%20'),
    { ...headersOf(ours.narrowed(0)), ...(body ? { 'content-type': 'application/json' } : {}) },
    body && JSON.stringify(body),
  )
}

test('every parameter except free text has invalid values', () => {
  const free = parameters.filter(({ invalid }) => invalid.length === 0).map(({ title }) => title)
  expect(free).toEqual([
    ...['externalId', 'dotNumber', 'tag', 'provider'].map((name) => `/connections ${name}`),
    ...['cardId', 'authorizationId'].map((name) => `/purchase-checks ${name}`),
  ])
})

test.each(parameters.filter(({ invalid }) => invalid.length > 0))(
  '$title refuses invalid values and is named in the error',
  async ({ example, name, invalid }) => {
    for (const value of invalid) {
      const { status, body, statements } = await send(example, `${name}=${value}`)
      expect([value, status, body.code]).toEqual([value, 400, 'bad_request'])
      expect([value, body.detail[0].path]).toEqual([value, `{requestQuery}.${name}`])
      expect(statements.filter((sql) => !sql.startsWith('SELECT'))).toEqual([])
    }
  },
)

test.each(parameters)('$title is refused twice or with brackets', async ({ example, name, invalid }) => {
  for (const query of [`${name}=&${name}=${invalid[0] ?? 'x'}`, `${name}[]=x`, `${name}[a]=x`]) {
    const { status, body } = await send(example, query)
    expect([status, body.detail[0].path]).toEqual([400, `{requestQuery}.${name}`])
  }
})

test.each(parameters.filter(({ name }) => !name.endsWith('Month')))(
  '$title counts as absent if it is empty',
  async ({ example, name }) => {
    const [one, other] = [await send(example, `${name}=`), await send(example, 'limit=')]
    expect(one.text).toBe(other.text)
  },
)

test.each(examples.map((example) => [`${example.method} ${example.route.path}`, example] as const))(
  '%s refuses an unknown parameter, and suggests one with nearly that name',
  async (_, example) => {
    const names = Object.keys(example.route.query.shape)
    for (const [unknown, meant] of [
      ['vehicleId', 'vehicleIds'],
      ['driver_id', 'driverIds'],
      ['limits', 'limit'],
      ['foo', undefined],
    ] as const) {
      const { status, body, statements } = await send(example, `${unknown}=1`)
      expect([status, body.detail[0].path, statements]).toEqual([400, `{requestQuery}.${unknown}`, []])
      expect(body.detail[0].suggestion).toBe(meant && names.includes(meant) ? meant : undefined)
    }
  },
)

describe('ranges', () => {
  const months = (range: string) => `/ifta/summary?${range}`

  test.each<readonly [string, string]>([
    ['/vehicles/{id}/locations?startAt=2026-01-02T00:00:00Z&endAt=2026-01-01T00:00:00Z', 'startAt'],
    [
      '/vehicles/{id}/locations?startAt=2026-01-01T00:00:00%2B00:00&endAt=2026-01-01T00:00:00%2B02:00',
      'startAt',
    ],
    ['/vehicles/{id}/stats/historical?startAt=2026-01-02T00:00:00Z&endAt=2026-01-01T00:00:00Z', 'startAt'],
    ['/fault-codes/events?startAt=2026-01-02T00:00:00Z&endAt=2026-01-01T00:00:00Z', 'startAt'],
    ['/hos/daily-logs?startDate=2026-01-02&endDate=2026-01-01', 'startDate'],
    ['/hos/daily-logs?startDay=2026-01-02&endDate=2026-01-01', 'startDate'],
    ['/vehicles/utilization?startDate=2026-01-02&endDay=2026-01-01', 'startDate'],
    [months('startMonth=2026-02&endMonth=2026-01'), 'startMonth'],
    [months('startMonth=2026-02'), 'endMonth'],
    [months('endMonth=2026-02'), 'startMonth'],
    [months('startMonth=&endMonth=2026-02'), 'startMonth'],
    ['/hos/daily-logs?startDate=2026-01-01&startDay=2026-01-01', 'startDate'],
  ])('%s is refused', async (path, name) => {
    const url = path.replace('{id}', ours.connections[0]!.vehicles[0]!.id)
    const { status, body } = await rest.get(url, ours.narrowed(0))
    expect([status, body.detail.map(({ path: at }: { path: string }) => at)]).toEqual([
      400,
      [`{requestQuery}.${name}`],
    ])
  })

  test.each([
    '/vehicles/{id}/locations?startAt=2026-01-01T00:00:00Z&endAt=2026-01-01T00:00:00Z',
    '/hos/daily-logs?startDate=2026-01-01&endDate=2026-01-01',
    months('startMonth=2026-01&endMonth=2026-01'),
  ])('%s is accepted', async (path) => {
    const url = path.replace('{id}', ours.connections[0]!.vehicles[0]!.id)
    expect((await rest.get(url, ours.narrowed(0))).status).toBe(200)
  })
})
