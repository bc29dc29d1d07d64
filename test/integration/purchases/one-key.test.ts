import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { VehicleStatus } from '../../../src/subgraphs/fleet/vehicle.ts'
import { dialects, type SeededApplication, seedApplication, vehicleRow } from '../../support/factories.ts'
import { contextsOver } from '../../support/graph/graph-harness.ts'
import { IdempotencyHarness, isReplay, send } from '../../support/harnesses/idempotency-harness.ts'

const REQUESTS = 50
const amount = { value: 125, currency: 'USD' }
const merchant = {
  name: 'Lone Star Fuel',
  categoryCode: '5542',
  coordinates: { longitude: -97.7431, latitude: 30.2672 },
}

const documentFor = (field: string, type: string) =>
  `mutation ($input: ${type}!) { made: ${field}(input: $input) { check { id decision } replayed recorded } }`

const apis = {
  check: { path: '/purchase-checks', query: documentFor('checkPurchase', 'CheckPurchaseInput') },
  capture: { path: '/purchase-captures', query: documentFor('captureForCheck', 'CaptureForCheckInput') },
}

interface Made {
  readonly id: string
  readonly decision: string
  readonly replayed: boolean
  readonly recorded: boolean
}

describe.each(dialects)('parallel requests with one key on %s', (dialect) => {
  let harness: IdempotencyHarness
  let gateways: string[]
  let application: SeededApplication

  beforeAll(async () => {
    harness = await IdempotencyHarness.start(dialect)
    // Each has running checks of its own, as in a process of its own.
    gateways = [
      await harness.startGateway(contextsOver(harness.db)),
      await harness.startGateway(contextsOver(harness.db)),
    ]
    application = await seedApplication(harness.db, [
      (owner) => ({ vehicles: [vehicleRow(owner, { status: VehicleStatus.ACTIVE })] }),
    ])
  })
  afterAll(() => harness?.[Symbol.asyncDispose]())

  async function byRest(url: string, kind: keyof typeof apis, input: object): Promise<Made> {
    const reply = await send(`${url}/tsp/v1${apis[kind].path}`, application.client, { body: input })
    expect(reply).toMatchObject({ status: 201 })
    const { id, decision, recorded } = reply.body
    return { id, decision: decision.toUpperCase(), replayed: isReplay(reply), recorded }
  }

  async function byGraphql(url: string, kind: keyof typeof apis, input: object): Promise<Made> {
    const body = { query: apis[kind].query, variables: { input } }
    const reply = await send(`${url}/graphql`, application.client, { body })
    expect(reply.body.errors).toBeUndefined()
    const { check, ...made } = reply.body.data.made
    return { ...check, ...made }
  }

  /** Sends an input at once to both gateways, by both APIs. */
  const sendOften = (kind: keyof typeof apis, input: object): Promise<Made[]> =>
    Promise.all(
      Array.from({ length: REQUESTS }, (_, at) =>
        (at % 4 < 2 ? byRest : byGraphql)(gateways[at % 2]!, kind, input),
      ),
    )

  /** Expects that the answers are one stored check with one event, which one of the requests made. */
  async function expectOne(made: readonly Made[]): Promise<string> {
    const [{ id, decision }] = made as [Made]
    expect(made.map((each) => [each.id, each.decision, each.recorded])).toEqual(
      made.map(() => [id, decision, true]),
    )
    expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(
      await harness.db.rows('SELECT COUNT(*) AS `count` FROM `events` WHERE `type` = ? AND `subjectId` = ?', [
        'purchase.checked',
        id,
      ]),
    ).toEqual([{ count: 1 }])
    return id
  }

  test('make one check with one event, and one capture', async () => {
    const vehicleId = application.connections[0]!.vehicles[0]!.id
    const input = { idempotencyKey: newId('event'), vehicleId, merchant, amount }
    const checkId = await expectOne(await sendOften('check', input))
    const capture = { idempotencyKey: newId('event'), checkId, amount }
    const captureId = await expectOne(await sendOften('capture', capture))
    const stored = await harness.db.rows<{ id: string }>(
      'SELECT `id` FROM `purchase_checks` WHERE `applicationId` = ? ORDER BY `id`',
      [application.id],
    )
    expect(stored.map(({ id }) => id)).toEqual([checkId, captureId])
    expect(
      await harness.db.rows(
        "SELECT COUNT(*) AS `count` FROM `events` WHERE `applicationId` = ? AND `type` = 'purchase.checked'",
        [application.id],
      ),
    ).toEqual([{ count: 2 }])
  })
})
