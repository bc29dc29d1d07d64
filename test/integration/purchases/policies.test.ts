import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { readEffectivePolicy } from '../../../src/subgraphs/purchases/policy/effective-policy.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  type ApiClient,
  DAY,
  dialects,
  groupRow,
  latestLocationRow,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  unknownId,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)
const AUSTIN = { longitude: -97.7431, latitude: 30.2672 }
const DALLAS = { longitude: -96.797, latitude: 32.7767 }
const TAG = 'west'

/** Two trucks in Dallas. The first belongs to a group. */
const fleet: RecordsOf = (owner) => {
  const groups = [groupRow(owner)]
  const vehicles = [vehicleRow(owner, { groupIds: [groups[0]!.id] }), vehicleRow(owner, { groupIds: [] })]
  const now = Date.now()
  return {
    groups,
    vehicles,
    latestLocations: vehicles.map(({ id }) =>
      latestLocationRow(owner, { vehicleId: id, ...DALLAS, locatedAt: now, modifiedAt: now, speed: 0 }),
    ),
  }
}

describe.each(dialects)('policies of purchase checks on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  beforeEach(async () => {
    application = await seedApplication(db, [fleet], [{ tags: [TAG] }])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const request = (text: string, variables: object = {}, client: ApiClient = application.client) =>
    ask(executor, contextFor, { client, document: documentOf(text), variables: { ...variables } })

  async function answer<T>(text: string, variables: object = {}, client?: ApiClient): Promise<T> {
    const { data, errors } = await request(text, variables, client)
    expect(errors).toBeUndefined()
    return data as T
  }

  const SET = `mutation ($input: SetPurchasePolicyInput!) { setPurchasePolicy(input: $input) {
    policy { id version stage tag connection { id } group { id } vehicle { id } effectiveAt rules { rule action maxDistanceMeters maxSpeedKmh } } } }`

  const set = (input: object, client?: ApiClient) => request(SET, { input }, client)

  async function succeed(input: object) {
    const { data, errors } = await set(input)
    expect(errors).toBeUndefined()
    return (data as { setPurchasePolicy: { policy: Record<string, unknown> } }).setPurchasePolicy.policy
  }

  /** Checks a purchase in Austin. */
  async function check(vehicleId: string) {
    const text = `mutation ($input: CheckPurchaseInput!) { checkPurchase(input: $input) {
      check { decision stage policyVersion reasons { rule outcome action limit text } } } }`
    const input = {
      idempotencyKey: newId('event'),
      vehicleId,
      merchant: { name: 'Lone Star Fuel', categoryCode: '5542', coordinates: AUSTIN },
      amount: { value: 125, currency: 'USD' },
    }
    const { checkPurchase } = await answer<{ checkPurchase: { check: Record<string, unknown> } }>(text, {
      input,
    })
    return checkPurchase.check
  }

  const parts = () => {
    const [{ connection, groups, vehicles } = expect.fail('no connection')] = application.connections
    return { connection: connection.id, group: groups[0]!.id, truck: vehicles[0]!.id, other: vehicles[1]!.id }
  }

  const eventTypes = async () => {
    const rows = await db.rows<{ type: string }>(
      "SELECT `type` FROM `events` WHERE `applicationId` = ? AND `type` LIKE 'purchase.%' ORDER BY `sequence`",
      [application.id],
    )
    return rows.map(({ type }) => type)
  }

  test('turn on the decisions of a stage, with the event of a declined purchase', async () => {
    const { truck } = parts()
    expect(await check(truck)).toMatchObject({ decision: 'APPROVE', stage: 'V0', policyVersion: 0 })
    expect(await succeed({ stage: 'V1' })).toMatchObject({
      version: 1,
      stage: 'V1',
      tag: null,
      vehicle: null,
    })
    expect(await check(truck)).toMatchObject({ decision: 'DECLINE', stage: 'V1', policyVersion: 1 })
    expect(await eventTypes()).toEqual([
      'purchase.checked',
      'purchase.flagged',
      'purchase.checked',
      'purchase.declined',
      'purchase.flagged',
    ])
  })

  test('change the action and the limits of rules', async () => {
    const { truck } = parts()
    await succeed({ stage: 'V1', rules: [{ rule: 'NEAR_MERCHANT', action: 'CONFIRM' }] })
    expect((await check(truck))['decision']).toBe('CONFIRM')
    await succeed({ stage: 'V1', rules: [{ rule: 'NEAR_MERCHANT', maxDistanceMeters: 500_000 }] })
    expect((await check(truck))['decision']).toBe('APPROVE')
    await succeed({ stage: 'V1', rules: [{ rule: 'NEAR_MERCHANT', action: 'OFF' }] })
    const off = await check(truck)
    expect(off['decision']).toBe('APPROVE')
    expect(JSON.stringify(off['reasons'])).not.toContain('NEAR_MERCHANT')
  })

  test('set working hours, in the time zone of the fleet or in their own', async () => {
    const { connection, truck } = parts()
    const findingOf = async () => {
      const { reasons } = (await check(truck)) as { reasons: { rule: string }[] }
      return reasons.find(({ rule }) => rule === 'WORKING_HOURS')
    }
    expect(await findingOf()).toBeUndefined()
    const yesterday = new Date(Date.now() - DAY).toLocaleDateString('en', {
      weekday: 'long',
      timeZone: 'UTC',
    })
    const days = [yesterday.toUpperCase()]
    await succeed({ rules: [{ rule: 'WORKING_HOURS', days, action: 'CONFIRM' }] })
    expect(await findingOf()).toMatchObject({ outcome: 'UNKNOWN', action: 'CONFIRM' })
    await db.transaction((tx) =>
      tx.run("UPDATE `connections` SET `timeZone` = 'UTC' WHERE `id` = ?", [connection]),
    )
    expect(await findingOf()).toMatchObject({
      outcome: 'FAIL',
      text: expect.stringContaining(`Working hours are 00:00 to 24:00 on ${yesterday}.`),
    })
    const kiritimati = { rule: 'WORKING_HOURS', timeZone: 'Pacific/Kiritimati' }
    await succeed({ rules: [Object.assign(kiritimati, { days })] })
    expect(await findingOf()).toMatchObject({ text: expect.stringContaining('in Pacific/Kiritimati') })
    const { effectivePurchasePolicy: policy } = await answer<{
      effectivePurchasePolicy: { rules: { rule: string }[] }
    }>(
      'query ($id: ID!) { effectivePurchasePolicy(vehicleId: $id) { rules { rule action fromHour untilHour days timeZone } } }',
      { id: truck },
    )
    expect(policy.rules.find(({ rule }) => rule === 'WORKING_HOURS')).toEqual({
      rule: 'WORKING_HOURS',
      action: 'FLAG',
      fromHour: 0,
      untilHour: 24,
      days,
      timeZone: 'Pacific/Kiritimati',
    })
  })

  test('of a tag, a connection, a group and a vehicle override each other', async () => {
    const { connection, group, truck, other } = parts()
    await succeed({ stage: 'V1' })
    const near = (maxDistanceMeters: number) => [{ rule: 'NEAR_MERCHANT', maxDistanceMeters }]
    const steps = [
      [{ tag: TAG }, 600_000, 600_000],
      [{ targetId: connection }, 500_000, 500_000],
      [{ targetId: group }, 400_000, 500_000],
      [{ targetId: truck }, 350_000, 500_000],
    ] as const
    for (const [target, ofTruck, ofOther] of steps) {
      await succeed({ ...target, rules: near(ofTruck) })
      for (const [vehicleId, expected] of [
        [truck, ofTruck],
        [other, ofOther],
      ] as const) {
        const { effectivePurchasePolicy } = await answer<{
          effectivePurchasePolicy: {
            stage: string
            rules: { rule: string; maxDistanceMeters: number | null }[]
          }
        }>(
          'query ($id: ID) { effectivePurchasePolicy(vehicleId: $id) { stage rules { rule maxDistanceMeters } } }',
          { id: vehicleId },
        )
        expect(effectivePurchasePolicy.stage).toBe('V1')
        const [rule] = effectivePurchasePolicy.rules
        expect([target, rule]).toEqual([target, { rule: 'NEAR_MERCHANT', maxDistanceMeters: expected }])
      }
    }
    await succeed({ targetId: truck, stage: 'V0' })
    expect(await check(truck)).toMatchObject({ decision: 'APPROVE', stage: 'V0', policyVersion: 6 })
  })

  test('apply from their time on', async () => {
    const { truck } = parts()
    const later = new Date(Date.now() + 3_600_000).toISOString()
    expect(await succeed({ stage: 'V1', effectiveAt: later })).toMatchObject({ effectiveAt: later })
    expect(await check(truck)).toMatchObject({ stage: 'V0', policyVersion: 0 })
    const policyTime = { at: Date.now() - 1000 }
    await db.transaction((tx) =>
      tx.run('UPDATE `purchase_policies` SET `effectiveAt` = ? WHERE `applicationId` = ?', [
        policyTime.at,
        application.id,
      ]),
    )
    expect(await check(truck)).toMatchObject({ stage: 'V1', policyVersion: 1 })
  })

  test('replace the earlier one of their target when they take effect, and add no row to a read', async () => {
    const { truck } = parts()
    const soon = Date.now() + 60_000
    await succeed({ stage: 'V2', effectiveAt: new Date(soon).toISOString() })
    for (let made = 0; made < 5; made++)
      await succeed({ stage: 'V1', rules: [{ rule: 'NEAR_MERCHANT', action: 'CONFIRM' }] })
    await succeed({ tag: `${TAG} `, stage: 'V0' })
    expect(await check(truck)).toMatchObject({ decision: 'CONFIRM', stage: 'V1', policyVersion: 6 })
    const read = (at: number) =>
      readEffectivePolicy(counting, { applicationId: application.id }, ['application:', `tag:${TAG}`], at)
    let rows = 0
    const counting: typeof db = {
      ...db,
      async rows<T>(sql: string, parameters?: readonly unknown[]) {
        const found = await db.rows<T>(sql, parameters)
        rows += found.length
        return found
      },
    }
    expect(await read(soon)).toMatchObject({ stage: 'v2', version: 1 })
    expect(rows).toBe(1)
  })

  test('have versions without gaps, also when they are set at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => succeed({ stage: 'V1' })))
    const { purchasePolicies } = await answer<{ purchasePolicies: { nodes: { version: number }[] } }>(
      '{ purchasePolicies { nodes { version } } }',
    )
    expect(purchasePolicies.nodes.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test.each<[string, object, string]>([
    ['both a tag and an id', { tag: TAG, targetId: unknownId('vehicle') }, 'targetId'],
    ['the id of a driver', { targetId: unknownId('driver') }, 'targetId'],
    ['an empty tag', { tag: ' ' }, 'tag'],
    ['a long tag', { tag: 't'.repeat(201) }, 'tag'],
    ['a rule twice', { rules: [{ rule: 'STANDING' }, { rule: 'STANDING' }] }, 'rules.1.rule'],
    ['a limit of another rule', { rules: [{ rule: 'CONNECTED', maxPurchases: 3 }] }, 'rules.0.maxPurchases'],
    ['a negative limit', { rules: [{ rule: 'STANDING', maxSpeedKmh: -1 }] }, 'rules.0.maxSpeedKmh'],
    [
      'a window longer than a day',
      { rules: [{ rule: 'FREQUENCY', windowSeconds: 86_401 }] },
      'rules.0.windowSeconds',
    ],
    ['an hour after midnight', { rules: [{ rule: 'WORKING_HOURS', untilHour: 25 }] }, 'rules.0.untilHour'],
    ['no day', { rules: [{ rule: 'WORKING_HOURS', days: [] }] }, 'rules.0.days'],
    ['a day twice', { rules: [{ rule: 'WORKING_HOURS', days: ['MONDAY', 'MONDAY'] }] }, 'rules.0.days'],
    [
      'an unknown time zone',
      { rules: [{ rule: 'WORKING_HOURS', timeZone: 'Mars/Olympus' }] },
      'rules.0.timeZone',
    ],
    ['days of another rule', { rules: [{ rule: 'FREQUENCY', days: ['MONDAY'] }] }, 'rules.0.days'],
    ['a time in the past', { effectiveAt: '2020-01-01T00:00:00Z' }, 'effectiveAt'],
  ])('with %s are refused, and nothing is written', async (_, input, path) => {
    const { errors } = await set(input)
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', detail: [{ path: `input.${path}` }] } },
    ])
    const rows = await db.rows('SELECT 1 FROM `purchase_policies` WHERE `applicationId` = ?', [
      application.id,
    ])
    expect(rows).toEqual([])
  })

  test('belong to the secret key of the application', async () => {
    const { truck } = parts()
    const others = await seedApplication(db, [fleet])
    expect((await set({ targetId: truck, stage: 'V1' }, others.client)).errors?.[0]?.extensions?.code).toBe(
      'NOT_FOUND',
    )
    expect((await set({ stage: 'V1' }, application.narrowed(0))).errors?.[0]?.extensions?.code).toBe(
      'FORBIDDEN',
    )
    await succeed({ stage: 'V2' })
    const read = '{ purchasePolicies { totalCount } effectivePurchasePolicy { stage } }'
    expect(await answer(read, {}, others.client)).toEqual({
      purchasePolicies: { totalCount: 0 },
      effectivePurchasePolicy: { stage: 'V0' },
    })
    const foreign = `{ effectivePurchasePolicy(vehicleId: "${truck}") { stage } }`
    expect(await answer(foreign, {}, others.client)).toEqual({ effectivePurchasePolicy: null })
  })
})
