import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOON, unknownId } from '../../support/factories.ts'
import { stores } from '../../support/database/stores.ts'
import { type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'
import { seedRequests } from '../../support/rows/request-rows.ts'

interface ListedRequest {
  readonly at: string
  readonly request: string
  readonly application: string | null
  readonly status: number
  readonly code: string | null
}

const APPLICATION = unknownId('application')
const OTHER_APPLICATION = `${APPLICATION.slice(0, -1)}Q`

describe.each(stores)('odograph requests on %s', (store) => {
  let harness: CliHarness

  beforeAll(async () => {
    harness = await openCliHarness(store)
    const { db } = harness
    await seedRequests(db, APPLICATION, 3)
    await seedRequests(db, APPLICATION, 1, {
      requestId: 'lost',
      at: NOON + 10_000,
      status: 503,
      errorCode: 'service_unavailable',
    })
    await seedRequests(db, OTHER_APPLICATION, 2, {
      requestId: 'twice',
      connectionId: unknownId('connection'),
    })
    await seedRequests(db, OTHER_APPLICATION, 1, { requestId: 'b-404', status: 404, errorCode: 'not_found' })
    await seedRequests(db, '', 1, {
      requestId: 'stranger',
      keyId: null,
      status: 401,
      errorCode: 'unauthorized',
    })
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const list = (...args: string[]) => harness.json<ListedRequest[]>('requests', ...args)
  const idsOf = async (...args: string[]) => (await list(...args)).map(({ request }) => request)

  test('prints every field of the request with an id', async () => {
    expect(await list('lost')).toEqual([
      {
        at: new Date(NOON + 10_000).toISOString(),
        request: 'lost',
        application: APPLICATION,
        connection: null,
        caller: 'key_1',
        interface: 'rest',
        operation: 'GET /tsp/v1/vehicles',
        document: null,
        cost: 100,
        status: 503,
        code: 'service_unavailable',
        durationMs: 12.5,
      },
    ])
    expect(await idsOf('twice')).toEqual(['twice', 'twice'])
    expect(await list('stranger')).toMatchObject([{ application: null, caller: null, status: 401 }])
    const { code, out } = await harness.cli('requests', 'lost')
    expect(code).toBe(0)
    expect(out).toMatch(/^AT +REQUEST +APPLICATION.*\n.* lost +app_/)
  })

  test.each([['lost '], ['los%'], ['LOST'], ['none']])(
    'fails for %j, because no request has exactly this id',
    async (id) => {
      const { code, error } = await harness.cli('requests', id)
      expect([code, error]).toEqual([1, expect.stringContaining(`the request log has no request ${id}: `)])
    },
  )

  test('lists the requests of an application, newest first', async () => {
    const found = await list('--application', APPLICATION)
    expect(found.map(({ application }) => application)).toEqual([
      APPLICATION,
      APPLICATION,
      APPLICATION,
      APPLICATION,
    ])
    expect(found.map(({ at }) => Date.parse(at) - NOON)).toEqual([10_000, 2000, 1000, 0])
    expect(await list('--application', APPLICATION, '--limit', '1')).toEqual(found.slice(0, 1))
  })

  test.each([
    [['--status', '5xx'], ['lost']],
    [['--status', '404'], ['b-404']],
    [['--application', APPLICATION, '--status', '4xx'], []],
    [['--code', 'not_found'], ['b-404']],
    [
      ['--connection', unknownId('connection')],
      ['twice', 'twice'],
    ],
    [['--since', new Date(NOON + 5000).toISOString()], ['lost']],
    [
      ['--until', new Date(NOON + 1000).toISOString(), '--application', OTHER_APPLICATION],
      ['b-404', 'twice'],
    ],
  ])('filters with %j', async (args, expected) => {
    expect(await idsOf(...args)).toEqual(expected)
  })

  test.each([['6xx'], ['40'], ['ok']])('refuses --status %s', async (status) => {
    const { code, error } = await harness.cli('requests', '--status', status)
    expect([code, error]).toEqual([
      2,
      expect.stringContaining('Give a status like 404, or a class like 5xx.'),
    ])
  })
})
