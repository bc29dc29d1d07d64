import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelNames } from '../../../src/domain/record-models.ts'
import { toIso } from '../../../src/domain/time.ts'
import { DAY, NOON, type SeededApplication } from '../../support/factories.ts'
import { syncs } from '../../support/rest/expected-bodies.ts'
import { found, seedFleet } from '../../support/rest/fleet.ts'
import { LINK, manifest, type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let seeded: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  seeded = await seedFleet(rest)
})

afterAll(() => rest[Symbol.asyncDispose]())

const ok = (path: string, client = seeded.narrowed(0)) => found(rest, path, client)

describe('connections', () => {
  const connection = (at: number) => {
    const { connection: row, token } = seeded.connections[at]!
    return {
      id: row.id,
      status: 'connected',
      provider: { code: 'sandbox', name: 'Sandbox' },
      syncMode: 'automatic',
      token,
      linkUrl: `${LINK}/connection/${row.id}`,
      createdAt: toIso(row.createdAt),
      updatedAt: toIso(row.updatedAt),
    }
  }
  const first = () => ({
    ...connection(0),
    company: { name: 'Acme Freight', dotNumbers: ['1234567'] },
    account: {
      name: 'acme',
      dotNumbers: [],
      user: { sourceId: 'u-1', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
    },
    options: { units: 'metric' },
    externalId: 'ours-1',
    sourceId: 'account-1',
    tags: ['west'],
  })
  const second = () => ({
    ...connection(1),
    company: { dotNumbers: [] },
    account: { dotNumbers: [] },
    options: {},
    tags: [],
    filters: { vehicles: { status: 'active' } },
  })

  test('are listed with the secret key alone, and any connection token is ignored', async () => {
    expect(await ok('/connections', seeded.client)).toEqual({ results: [first(), second()] })
    expect(await ok('/connections', { ...seeded.client, token: 'con_tkn_unknown' })).toEqual({
      results: [first(), second()],
    })
  })

  test.each([
    ['externalId=ours-1', 1],
    ['externalId=OURS-1', 0],
    ['dotNumber=1234567', 1],
    ['tag=west', 1],
    ['tags=west', 1],
    ['tag=%25', 0],
    ['status=connected', 2],
    ['status=pending_deletion', 0],
    ['provider=sandbox', 2],
    ['provider=other', 0],
    [`updatedAfter=${toIso(NOON - DAY)}`, 2],
    [`updatedBefore=${toIso(NOON - DAY)}`, 2],
    [`updatedBefore=${toIso(NOON - 2 * DAY)}`, 0],
  ])('are found with %s', async (query, count) => {
    expect((await ok(`/connections?${query}`, seeded.client)).results).toHaveLength(count)
  })

  test('the current one shows its agreements and last sync', async () => {
    const {
      agreements: [agreement],
      connection: { id },
    } = seeded.connections[0]!
    expect(await ok('/connections/current')).toEqual({
      ...first(),
      lastSync: syncs(seeded.connections[0]!).completed,
      agreements: [
        {
          id: agreement!.id,
          applicationId: seeded.id,
          connectionId: id,
          agreementUrl: 'https://example.com/agreement',
          acceptedAt: toIso(agreement!.acceptedAt),
          acceptedBy: { firstName: 'Ada' },
          ipAddress: '192.0.2.1',
        },
      ],
    })
    expect(await ok('/connections/current', seeded.narrowed(1))).toEqual({ ...second(), agreements: [] })
  })
})

const provider = () => {
  const { code, name, logo, icon, references } = manifest
  return {
    code,
    name,
    status: 'sandbox',
    logo,
    icon,
    references,
    isLinkable: false,
    supportedModels: {
      ...Object.fromEntries(
        modelNames.map((model) => [model, { supportedOperations: { read: 'not_supported_by_provider' } }]),
      ),
      Vehicle: { supportedOperations: { read: 'supported' } },
      VehicleLocation: {
        supportedOperations: { read: 'supported' },
        sampleRate: '15 seconds',
        availableHistory: '1 year',
      },
      SafetyEvent: {
        supportedOperations: { read: 'not_supported_by_terminal' },
        types: ['speeding', 'crash'],
      },
    },
  }
}

/** Returns the expected body of a provider that cannot be linked yet. */
const unlinkable = (code: string) => ({
  code,
  name: expect.stringMatching(/^[A-Z]/),
  status: 'beta',
  logo: expect.stringMatching(/^data:image\/svg\+xml,/),
  icon: expect.stringMatching(/^data:image\/svg\+xml,/),
  references: expect.any(Array),
  isLinkable: false,
  supportedModels: Object.fromEntries(
    modelNames.map((model) => [
      model,
      {
        supportedOperations: { read: 'not_supported_by_terminal' },
        ...(model === 'VehicleLocation' && { sampleRate: 'unknown' }),
        ...(model === 'SafetyEvent' && { types: [] }),
      },
    ]),
  ),
})

const unlinkableProviders =
  'azuga calamp linxup omnitracs onestepgps platformscience powerfleet teletrac tesla verizon webfleet zonar'
    .split(' ')
    .map(unlinkable)

describe('providers', () => {
  test('are a plain array, with those that cannot be linked yet at the end', async () => {
    const all = await ok('/providers', seeded.client)
    expect(all).toEqual([{ ...provider(), baseCode: 'simulated' }, ...unlinkableProviders])
  })

  test('hide the base code from callers without a key', async () => {
    const { status, body, statements } = await rest.get('/providers')
    expect([status, body, statements]).toEqual([200, [provider(), ...unlinkableProviders], []])
  })
})
