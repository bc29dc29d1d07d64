import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeededApplication } from '../../support/factories.ts'
import { adapters } from '../../support/providers/adapters.ts'
import { seedFleet } from '../../support/rest/fleet.ts'
import { providersContract } from '../../support/rest/providers-contract.ts'
import { manifest, type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

const ajv = new Ajv({ strict: true, allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(providersContract)

const problemsOf = (body: unknown) => {
  validate(body)
  return validate.errors ?? []
}

const all = Object.values(adapters).map((adapter) => adapter())

describe('for a strict client, the list of providers', () => {
  let rest: RestHarness
  let seeded: SeededApplication

  beforeAll(async () => {
    rest = await startRest({ providers: all })
    seeded = await seedFleet(rest)
  })
  afterAll(() => rest[Symbol.asyncDispose]())

  const callers = [
    ['without a key', () => null],
    ['with a secret key', () => seeded.client],
  ] as const

  test.each(callers)('fits the contract %s', async (_, client) => {
    const { status, body } = await rest.get('/providers', client())
    expect([status, problemsOf(body)]).toEqual([200, []])
  })

  test('tells providers that fleets can link from those that are only listed', async () => {
    const { body } = await rest.get('/providers')
    const rows = body as { code: string; isLinkable: boolean }[]
    const linkable = rows.filter(({ isLinkable }) => isLinkable).map(({ code }) => code)
    expect(linkable).toEqual(all.map((adapter) => adapter.manifest.code))
    expect(rows.length).toBeGreaterThan(linkable.length)
  })

  test('has guides of a provider that has them in all three languages', async () => {
    const { body } = await rest.get('/providers')
    const rows = body as { code: string; userGuides?: Record<string, string> }[]
    const guided = rows.filter(({ userGuides }) => userGuides)
    expect(guided.map(({ code, userGuides }) => [code, Object.keys(userGuides ?? {})])).toEqual([
      ['geotab', ['en', 'fr', 'es']],
    ])
  })
})

test('a provider with a base code, without types and without a sample rate fits the contract too', async () => {
  const bare = { ...manifest, code: 'bare', supportedModels: withoutDetails }
  await using rest = await startRest({ providers: [{ ...all[0]!, manifest: bare }] })
  const seeded = await seedFleet(rest)
  const { body } = await rest.get('/providers', seeded.client)
  expect(body).toContainEqual(expect.objectContaining({ code: 'bare', baseCode: 'simulated' }))
  expect(problemsOf(body)).toEqual([])
})

const withoutDetails = Object.fromEntries(
  Object.keys(manifest.supportedModels).map((name) => [name, { read: 'supported' }]),
) as typeof manifest.supportedModels

test.each([
  ['another value of read support', { read: 'not_supported' }],
  ['no read support', {}],
])('the contract refuses %s', async (_, supportedOperations) => {
  await using rest = await startRest({ providers: all })
  const { body } = await rest.get('/providers')
  body[0].supportedModels.Trip = { supportedOperations }
  expect(problemsOf(body)).not.toEqual([])
})
