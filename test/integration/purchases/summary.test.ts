import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/domain/time.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { PurchaseDecision } from '../../../src/subgraphs/purchases/policy/decide.ts'
import { RuleAction } from '../../../src/subgraphs/purchases/policy/policy.ts'
import { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import { RuleOutcome } from '../../../src/subgraphs/purchases/rules/rule.ts'
import { PurchaseSummaryBy } from '../../../src/subgraphs/purchases/summary/purchase-summary-args.ts'
import { summarizePurchases } from '../../../src/subgraphs/purchases/summary/summarize-purchases.ts'
import { createVisibleReads } from '../../../src/subgraphs/tables/visible-reads.ts'
import {
  type ApiClient,
  callerOf,
  dialects,
  driverRow,
  NOON,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  unknownId,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { arbitraryCheck, type ArbitraryCheck, phaseOf } from '../../support/purchases/arbitrary-checks.ts'
import { plainSummary, type SummaryKind } from '../../support/purchases/plain-summary.ts'
import { captureRow, purchaseCheckRow } from '../../support/rows/purchase-rows.ts'

const executor = createInProcessExecutor(supergraph)

const SUMMARY = documentOf(`query (
  $by: PurchaseSummaryBy!, $purchasedAfter: DateTime, $purchasedBefore: DateTime, $vehicleIds: [ID!],
  $connectionIds: [ID!], $first: Int
) {
  purchaseSummary(
    by: $by, purchasedAfter: $purchasedAfter, purchasedBefore: $purchasedBefore, vehicleIds: $vehicleIds,
    connectionIds: $connectionIds, first: $first
  ) {
    purchasedAfter purchasedBefore totalGroups
    groups {
      day vehicle { id } driver { id } merchantName merchantPostalCode rule
      ruleResults { failed passed unknown }
      purchases checks authorizations captures liters spend { currency value } avoided { currency value }
      declined confirm unknown flagged
      wouldDecline { ...Counts } wouldConfirm { ...Counts } wouldBeUnknown { ...Counts }
      capturesWouldDecline { ...Counts } capturesWouldConfirm { ...Counts } capturesWouldBeUnknown { ...Counts }
      wouldAvoid { v1 { currency value } v2 { currency value } v3 { currency value } }
    }
  }
}
fragment Counts on PurchaseCountByStage { v1 v2 v3 }`)

const HOUR = 3_600_000
const DAY = 24 * HOUR
const iso = (at: number) => new Date(at).toISOString()
const PERIOD = { purchasedAfter: iso(NOON), purchasedBefore: iso(NOON + 40 * HOUR) }
const KINDS: readonly SummaryKind[] = ['DAY', 'VEHICLE', 'DRIVER', 'MERCHANT', 'RULE']
const { DECLINE, CONFIRM, UNKNOWN } = PurchaseDecision

interface Group {
  readonly day: string | null
  readonly vehicle: { readonly id: string } | null
  readonly driver: { readonly id: string } | null
  readonly merchantName: string | null
  readonly merchantPostalCode: string | null
  readonly rule: string | null
  readonly checks: number
}

interface Summary {
  readonly purchasedAfter: string
  readonly purchasedBefore: string
  readonly totalGroups: number
  readonly groups: readonly Group[]
}

/** Three vehicles and two drivers. */
const fleet: RecordsOf = (owner) => ({
  vehicles: [vehicleRow(owner), vehicleRow(owner), vehicleRow(owner)],
  drivers: [driverRow(owner), driverRow(owner)],
})

const keyOf = (by: SummaryKind, { day, vehicle, driver, merchantName, merchantPostalCode, rule }: Group) =>
  ({
    DAY: day,
    VEHICLE: vehicle?.id,
    DRIVER: driver?.id ?? 'none',
    MERCHANT: `${merchantName} ${merchantPostalCode ?? 'none'}`,
    RULE: rule,
  })[by]

describe.each(dialects)('the summary of purchases on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const send = (client: ApiClient, variables: object) =>
    ask(executor, contextFor, { client, document: SUMMARY, variables: { ...PERIOD, ...variables } })

  async function summaryOf(client: ApiClient, variables: object): Promise<Summary> {
    const { data, errors } = await send(client, variables)
    expect(errors).toBeUndefined()
    return (data as { purchaseSummary: Summary }).purchaseSummary
  }

  const store = (checks: readonly PurchaseCheck[]) =>
    db.transaction((tx) => tx.insert(tableOf(PurchaseCheck), checks))

  /** Stores checks of a new application. Captures belong to authorizations of the same vehicle. */
  async function seed(chosen: readonly ArbitraryCheck[]) {
    const application = await seedApplication(db, [fleet, fleet])
    const rowOf = (each: ArbitraryCheck) => {
      const { connection, vehicles, drivers } = application.connections[each.connection]!
      const row = purchaseCheckRow(
        { applicationId: application.id, connectionId: connection.id },
        { vehicleId: vehicles[each.vehicle]!.id, ...each.values },
      )
      return {
        ...row,
        phase: phaseOf(each),
        driverId: each.driver === null ? null : drivers[each.driver]!.id,
      }
    }
    const rows = chosen.map(rowOf)
    const authorizations = rows.filter(({ phase }) => phase === PurchasePhase.AUTHORIZATION)
    const checks = rows.map((row, at) => {
      const { kind, authorization } = chosen[at]!
      const possible = authorizations.filter(({ vehicleId }) => vehicleId === row.vehicleId)
      const captured = kind === 'capture' ? possible[authorization % possible.length] : undefined
      return captured ? { ...row, authorizationCheckId: captured.id } : row
    })
    await store(checks)
    return { application, checks }
  }

  async function expectPlainSums(
    client: ApiClient,
    variables: object,
    {
      shown,
      all,
      hiddenDrivers,
    }: {
      shown: readonly PurchaseCheck[]
      all: readonly PurchaseCheck[]
      hiddenDrivers: ReadonlySet<string>
    },
  ) {
    for (const by of KINDS) {
      const { groups, totalGroups } = await summaryOf(client, { by, ...variables })
      const within = shown.filter(({ purchasedAt }) => purchasedAt >= NOON && purchasedAt < NOON + 40 * HOUR)
      const expected = plainSummary(by, within, { all, hiddenDrivers })
      const sums = groups.map(
        ({ day: _, vehicle: __, driver: ___, merchantName, merchantPostalCode, rule, ...rest }) => rest,
      )
      expect(new Map(groups.map((group, at) => [keyOf(by, group), sums[at]]))).toEqual(expected)
      expect([groups.length, totalGroups]).toEqual([expected.size, expected.size])
      const order = groups.map(({ checks }) => checks)
      if (by === 'DAY') expect(groups.map(({ day }) => day)).toEqual([...expected.keys()].sort())
      else expect(order).toEqual(order.toSorted((first, second) => second - first))
    }
  }

  test('is that of a plain calculation, without what is hidden or belongs to others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryCheck, { maxLength: 40 }), async (chosen) => {
        const { application, checks } = await seed(chosen)
        const [first, second] = application.connections as [
          SeededApplication['connections'][number],
          SeededApplication['connections'][number],
        ]
        const { client } = application
        await expectPlainSums(client, {}, { shown: checks, all: checks, hiddenDrivers: new Set() })
        const ofFirst = checks.filter(({ connectionId }) => connectionId === first.connection.id)
        const ofSecond = checks.filter(({ connectionId }) => connectionId === second.connection.id)
        const whole = { shown: ofSecond, all: checks, hiddenDrivers: new Set<string>() }
        await expectPlainSums(application.narrowed(1), {}, whole)
        await expectPlainSums(client, { connectionIds: [second.connection.id] }, whole)
        const hidden = first.vehicles[2]!.id
        const hiddenDriver = first.drivers[1]!.id
        await setFilters(db, first, {
          vehicles: { excludeIds: [hidden] },
          drivers: { excludeIds: [hiddenDriver] },
        })
        const shown = ofFirst.filter(({ vehicleId }) => vehicleId !== hidden)
        const filtered = { all: checks, hiddenDrivers: new Set([hiddenDriver]) }
        await expectPlainSums(application.narrowed(0), {}, { shown, ...filtered })
        await expectPlainSums(client, {}, { shown: [...shown, ...ofSecond], ...filtered })
        const vehicleIds = [first.vehicles[0]!.id, hidden]
        await expectPlainSums(
          client,
          { vehicleIds },
          {
            shown: shown.filter(({ vehicleId }) => vehicleIds.includes(vehicleId)),
            ...filtered,
          },
        )
      }),
      { numRuns: 8 },
    )
  })

  test('counts an authorization and its captures as one purchase', async () => {
    const { application, owner, vehicleId } = await oneVehicle()
    const at = { purchasedAt: NOON + HOUR }
    const authorized = (values: Partial<PurchaseCheck>) =>
      purchaseCheckRow(owner, { vehicleId, ...at, ...values })
    const amount = (value: number, currency = 'USD') => ({ amount: { value, currency } })
    const captured = authorized({
      ...amount(1),
      decision: CONFIRM,
      wouldBe: { v1: DECLINE, v2: DECLINE, v3: DECLINE },
    })
    const captureOf = (authorization: PurchaseCheck, values: Partial<PurchaseCheck>) => ({
      ...captureRow(owner, authorization),
      ...at,
      reconciliation: null,
      ...values,
    })
    await store([
      captured,
      captureOf(captured, { ...amount(80.1), fuel: { liters: 40 }, decision: DECLINE }),
      captureOf(captured, { ...amount(20.2), fuel: { unitPrice: 2 }, decision: DECLINE }),
      authorized({ ...amount(50, 'CAD'), decision: UNKNOWN }),
      authorized({ ...amount(75), decision: DECLINE }),
      // The card network approved it in spite of the decision.
      ...[authorized({ ...amount(1), decision: DECLINE })].flatMap((each) => [
        each,
        captureOf(each, { ...amount(30), fuel: null }),
      ]),
    ])
    const { groups } = await summaryOf(application.client, { by: 'VEHICLE' })
    expect(groups).toMatchObject([
      {
        purchases: 4,
        checks: 7,
        authorizations: 4,
        captures: 3,
        liters: 50.1,
        spend: [
          { currency: 'CAD', value: 50 },
          { currency: 'USD', value: 130.3 },
        ],
        avoided: [{ currency: 'USD', value: 75 }],
        declined: 2,
        confirm: 1,
        unknown: 1,
        wouldDecline: { v1: 1, v2: 1, v3: 1 },
        wouldBeUnknown: { v1: 0, v2: 3, v3: 3 },
      },
    ])
  })

  test('of a period does not count the amount of an authorization that is captured after it', async () => {
    const { application, owner, vehicleId } = await oneVehicle()
    const authorization = purchaseCheckRow(owner, { vehicleId, purchasedAt: NOON + 39 * HOUR })
    const capture = { ...captureRow(owner, authorization), purchasedAt: NOON + 41 * HOUR }
    await store([authorization, capture])
    const spent = async (variables: object) =>
      (await summaryOf(application.client, { by: 'VEHICLE', ...variables })).groups
    expect(await spent({})).toMatchObject([{ purchases: 1, captures: 0, spend: [] }])
    const next = { purchasedAfter: PERIOD.purchasedBefore, purchasedBefore: iso(NOON + 3 * DAY) }
    expect(await spent(next)).toMatchObject([{ purchases: 0, spend: [{ currency: 'USD', value: 125 }] }])
  })

  test('shows captures that a stage would decline, although their authorizations have no fuel', async () => {
    const { application, owner, vehicleId } = await oneVehicle()
    const authorization = purchaseCheckRow(owner, {
      vehicleId,
      purchasedAt: NOON,
      amount: { value: 1, currency: 'USD' },
      fuel: null,
      wouldBe: { v1: CONFIRM, v2: CONFIRM, v3: DECLINE },
    })
    const capture = {
      ...captureRow(owner, authorization),
      wouldBe: { v1: UNKNOWN, v2: DECLINE, v3: CONFIRM },
    }
    await store([authorization, capture])
    const { groups } = await summaryOf(application.client, {
      by: 'VEHICLE',
      purchasedAfter: iso(NOON - HOUR),
    })
    expect(groups).toMatchObject([
      {
        purchases: 1,
        wouldDecline: { v1: 0, v2: 0, v3: 1 },
        wouldConfirm: { v1: 1, v2: 1, v3: 0 },
        wouldBeUnknown: { v1: 0, v2: 0, v3: 0 },
        capturesWouldDecline: { v1: 0, v2: 1, v3: 0 },
        capturesWouldConfirm: { v1: 0, v2: 0, v3: 1 },
        capturesWouldBeUnknown: { v1: 1, v2: 0, v3: 0 },
        wouldAvoid: { v1: [], v2: [], v3: [{ currency: 'USD', value: 125 }] },
      },
    ])
  })

  test('by rule is about the purchases in which the rule failed, with all their checks', async () => {
    const { application, owner, vehicleId } = await oneVehicle()
    const found = (outcome: RuleOutcome, rule: 'near_merchant' | 'level_rose' | 'tank_fits') => [
      { rule, outcome, action: RuleAction.FLAG, measured: 1, limit: 2, unit: null, text: 'Text.' },
    ]
    const dollars = (value: number) => ({ amount: { value, currency: 'USD' } })
    const check = (reasons: PurchaseCheck['reasons'], values: Partial<PurchaseCheck> = {}) =>
      purchaseCheckRow(owner, { vehicleId, purchasedAt: NOON, reasons, ...values })
    const { FAIL, PASS } = RuleOutcome
    const nearby = { ...dollars(1), wouldBe: { v1: DECLINE, v2: DECLINE, v3: UNKNOWN } }
    const far = check(found(FAIL, 'near_merchant'), nearby)
    const near = check(found(PASS, 'near_merchant'), dollars(1))
    const captureOf = (authorization: PurchaseCheck, values: Partial<PurchaseCheck>) => ({
      ...captureRow(owner, authorization),
      reconciliation: null,
      ...values,
    })
    const reconciled = (outcome: RuleOutcome) => ({
      reconciliation: { reconciledAt: NOON, reasons: found(outcome, 'level_rose') },
    })
    await store([
      far,
      captureOf(far, { ...dollars(402.5), fuel: { liters: 250 }, reasons: found(PASS, 'near_merchant') }),
      near,
      // After the period, but of a purchase in it.
      captureOf(near, {
        ...dollars(80),
        fuel: { liters: 50 },
        purchasedAt: NOON + 41 * HOUR,
        reasons: found(FAIL, 'tank_fits'),
        ...reconciled(FAIL),
      }),
      captureOf(near, { ...dollars(20), fuel: { liters: 10 }, reasons: found(FAIL, 'tank_fits') }),
    ])
    const { groups } = await summaryOf(application.client, {
      by: 'RULE',
      purchasedAfter: iso(NOON - HOUR),
    })
    const ofNear = {
      purchases: 1,
      checks: 3,
      captures: 2,
      liters: 60,
      spend: [{ currency: 'USD', value: 100 }],
      wouldBeUnknown: null,
      capturesWouldBeUnknown: null,
    }
    expect(groups).toMatchObject([
      { rule: 'LEVEL_ROSE', ruleResults: { failed: 0, passed: 0, unknown: 0 }, ...ofNear },
      { rule: 'TANK_FITS', ruleResults: { failed: 1, passed: 0, unknown: 0 }, ...ofNear },
      {
        rule: 'NEAR_MERCHANT',
        ruleResults: { failed: 1, passed: 2, unknown: 0 },
        purchases: 1,
        checks: 2,
        flagged: 1,
        liters: 250,
        spend: [{ currency: 'USD', value: 402.5 }],
        wouldDecline: { v1: 1, v2: 1, v3: 0 },
        wouldAvoid: { v1: [{ currency: 'USD', value: 402.5 }], v3: [] },
      },
    ])
  })

  test('unites spellings of a merchant, and shows the most frequent one', async () => {
    const { application, owner, vehicleId } = await oneVehicle()
    const at = ([name, postalCode, country]: readonly [string, string, string]) =>
      purchaseCheckRow(owner, {
        vehicleId,
        purchasedAt: NOON,
        merchant: { name, categoryCode: '5542', address: { postalCode, country } },
      })
    const spellings = [
      ['Far stop', '43604-9999', 'US'],
      ['Far Stop', '43604', 'US'],
      ['Far Stop', '43604', 'US'],
      ['FAR-STOP', '43605', 'US'],
      ['***', '43604', 'US'],
      ['#', '43604', 'US'],
    ] as const
    await store(spellings.map(at))
    const { groups } = await summaryOf(application.client, { by: 'MERCHANT' })
    expect(
      groups.map(({ merchantName, merchantPostalCode, checks }) => [
        merchantName,
        merchantPostalCode,
        checks,
      ]),
    ).toEqual([
      ['Far Stop', '43604', 3],
      ['#', '43604', 1],
      ['***', '43604', 1],
      ['FAR-STOP', '43605', 1],
    ])
  })

  test('of days keeps the latest ones, in order of time', async () => {
    const { application, owner, vehicleId } = await oneVehicle()
    const at = (day: number) => purchaseCheckRow(owner, { vehicleId, purchasedAt: NOON + day * DAY })
    await store([at(0), at(1), at(2), at(2)])
    const days = async (first: number) => {
      const period = { purchasedBefore: iso(NOON + 4 * DAY) }
      const { groups, totalGroups } = await summaryOf(application.client, { by: 'DAY', first, ...period })
      return [groups.map(({ day }) => day), totalGroups]
    }
    expect(await days(2)).toEqual([['2026-02-01', '2026-02-02'], 3])
    expect(await days(0)).toEqual([[], 3])
  })

  test('has the groups with most checks first, as many as requested, and the number of all', async () => {
    const { application, owner, vehicleId } = await oneVehicle()
    const at = (name: string) =>
      purchaseCheckRow(owner, {
        vehicleId,
        purchasedAt: NOON,
        merchant: { name, categoryCode: '5542', address: null },
      })
    await store(['B', 'C', 'A', 'B', 'D', 'D', 'D'].map(at))
    const names = async (first: number | null) => {
      const { groups, totalGroups } = await summaryOf(application.client, { by: 'MERCHANT', first })
      return [groups.map(({ merchantName }) => merchantName), totalGroups]
    }
    expect(await names(null)).toEqual([['D', 'B', 'A', 'C'], 4])
    expect(await names(3)).toEqual([['D', 'B', 'A'], 4])
    expect(await names(0)).toEqual([[], 4])
  })

  test('sums more checks than one statement reads, also those of one instant', async () => {
    const { application, owner, vehicleId } = await oneVehicle()
    const many = Array.from({ length: 5_001 }, (_, at) =>
      purchaseCheckRow(owner, {
        vehicleId,
        purchasedAt: at < 2_500 ? NOON + at : NOON + DAY,
        amount: { value: 0.1, currency: 'USD' },
      }),
    )
    await store(many)
    const { groups } = await summaryOf(application.client, { by: 'DAY' })
    expect(groups).toMatchObject([
      { day: '2026-01-31', checks: 2_500, spend: [{ currency: 'USD', value: 250 }] },
      { day: '2026-02-01', checks: 2_501, spend: [{ currency: 'USD', value: 250.1 }] },
    ])
  })

  test.each([
    ['VEHICLE', 3],
    ['RULE', 5],
  ])('by %s makes %i statements if there are few checks', async (by, count) => {
    const { application, owner, vehicleId } = await oneVehicle()
    await store([purchaseCheckRow(owner, { vehicleId, purchasedAt: NOON })])
    const statements: string[] = []
    const stop = db.onStatement((sql) => void statements.push(sql))
    await summaryOf(application.client, { by })
    stop()
    expect(statements).toHaveLength(count)
  })

  test('is of the last 28 days by default', async () => {
    const { application, owner, vehicleId } = await oneVehicle()
    const today = Math.floor(Date.now() / DAY) * DAY
    const at = (purchasedAt: number) => purchaseCheckRow(owner, { vehicleId, purchasedAt })
    await store([at(today - 27 * DAY), at(today - 27 * DAY - 1)])
    const now = await summaryOf(application.client, {
      by: 'DAY',
      purchasedAfter: null,
      purchasedBefore: null,
    })
    expect(now).toMatchObject({ purchasedAfter: iso(today - 27 * DAY), groups: [{ checks: 1 }] })
    const midnight = { purchasedAfter: null, purchasedBefore: '2026-02-01T00:00:00.000Z' }
    expect(await summaryOf(application.client, { by: 'DAY', ...midnight })).toMatchObject({
      purchasedAfter: '2026-01-04T00:00:00.000Z',
      purchasedBefore: '2026-02-01T00:00:00.000Z',
    })
  })

  test.each<[string, object, RegExp]>([
    ['a long period', { purchasedBefore: iso(NOON + 92 * DAY + 1) }, /at most 92 days/],
    ['an empty period', { purchasedBefore: iso(NOON) }, /`purchasedAfter` must be before/],
    [
      'a start in the future',
      { purchasedAfter: iso(Date.now() + DAY), purchasedBefore: null },
      /must be before/,
    ],
    ['too many groups', { first: 1_001 }, /1,?000/],
    ['a negative number of groups', { first: -1 }, /first/],
    ['the id of a driver', { vehicleIds: [unknownId('driver')] }, /`vehicleIds`/],
    ['the id of a vehicle', { connectionIds: [unknownId('vehicle')] }, /`connectionIds`/],
  ])('refuses %s', async (_, variables, message) => {
    const { application } = await oneVehicle()
    const { data, errors } = await send(application.client, { by: 'DAY', ...variables })
    expect([data, errors]).toMatchObject([
      { purchaseSummary: null },
      [{ message: expect.stringMatching(message), extensions: { code: 'BAD_USER_INPUT' } }],
    ])
  })

  test('accepts a period of 92 days', async () => {
    const { application } = await oneVehicle()
    const whole = { by: 'DAY', purchasedBefore: iso(NOON + 92 * DAY) }
    expect(await summaryOf(application.client, whole)).toMatchObject({ groups: [], totalGroups: 0 })
  })

  async function oneVehicle() {
    const application = await seedApplication(db, [fleet])
    const [{ connection, vehicles }] = application.connections as [SeededApplication['connections'][number]]
    const owner = { applicationId: application.id, connectionId: connection.id }
    return { application, owner, vehicleId: vehicles[0]!.id }
  }
})

// It has its own database: after EXPLAIN, the embedded database keeps its snapshot.
test.each(dialects)('the captures of authorizations are found by their index on %s', async (dialect) => {
  await using db = await temporaryDatabase(dialect)
  const application = await seedApplication(db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
  const { connection, vehicles } = application.connections[0]!
  const owner = { applicationId: application.id, connectionId: connection.id }
  const checks = Array.from({ length: 3000 }, (_, at) =>
    purchaseCheckRow(owner, { vehicleId: vehicles[0]!.id, purchasedAt: NOON + at }),
  )
  await db.inBackground().transaction((tx) => tx.insert(tableOf(PurchaseCheck), checks))
  const reads: [string, readonly unknown[]][] = []
  const watched: Pick<Database, 'rows' | 'dialect'> = {
    dialect,
    rows: (sql, parameters = []) => {
      reads.push([sql, parameters])
      return db.rows(sql, parameters)
    },
  }
  const caller = callerOf(application.client)
  await summarizePurchases(
    { db: watched, clock: systemClock },
    { caller, visible: createVisibleReads(db, caller) },
    { by: PurchaseSummaryBy.VEHICLE, purchasedAfter: NOON - DAY, purchasedBefore: NOON + DAY },
    undefined,
  )
  const [sql, parameters] = reads.find(([text]) => text.includes('AS capture'))!
  const explain = dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
  const plan = await db.rows<Record<string, unknown>>(`${explain} ${sql}`, parameters)
  const ofCaptures = plan.map((step) => JSON.stringify(step)).filter((step) => step.includes('capture'))
  expect(ofCaptures.length).toBeGreaterThan(0)
  for (const step of ofCaptures) expect(step).toContain('purchase_checks_applicationId_authorizationCheckId')
})
