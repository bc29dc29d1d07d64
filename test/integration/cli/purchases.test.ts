import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stores } from '../../support/database/stores.ts'
import { type Owner, seedApplication, unknownId, vehicleRow } from '../../support/factories.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'
import { captureRow, purchaseCheckRow } from '../../support/rows/purchase-rows.ts'

describe.each(stores)('fuel cards on %s', (store) => {
  test('are assigned, listed and no longer assigned', async () => {
    await using harness = await openCliHarness(store)
    const vehicles = (owner: Owner) => ({ vehicles: [vehicleRow(owner, {})] })
    const { id, connections } = await seedApplication(harness.db, [vehicles])
    const vehicleId = connections[0]!.vehicles[0]!.id
    const own = ['--application', id]
    const assign = (...options: string[]) => harness.cli('purchases', 'assign-card', ...own, ...options)
    const list = () => harness.json('purchases', 'cards', ...own)
    await assign('--card', 'card-17', '--vehicle', vehicleId)
    expect(await list()).toMatchObject([{ cardId: 'card-17', vehicleId }])
    const refused = await assign('--card', 'card-18', '--vehicle', unknownId('vehicle'))
    expect([refused.code === 0, refused.error]).toEqual([false, expect.stringMatching(/no such vehicle/)])
    expect((await assign('--card', 'card-17')).code).not.toBe(0)
    await harness.cli('purchases', 'unassign-card', ...own, '--card', 'card-17')
    expect(await list()).toEqual([])
    const again = await harness.cli('purchases', 'unassign-card', ...own, '--card', 'card-17')
    expect([again.code, again.error]).toEqual([1, expect.stringMatching(/no assignment of the card card-17/)])
    const after = await harness.cli('purchases', 'cards', ...own, '--after', 'nope')
    expect([after.code, after.error]).toEqual([2, expect.stringMatching(/Give an id like pcd_/)])
  })

  test('belong to an application, whose option is required', async () => {
    await using harness = await openCliHarness(store)
    const { code, error } = await harness.cli('purchases', 'cards')
    expect([code, error]).toEqual([2, expect.stringContaining('`odograph applications list` shows the ids')])
    const help = await harness.cli('purchases', 'cards', '--help')
    expect(help.out).toMatch(/--application <id>\s+id of the application \(required\)/)
  })
})

describe.each(stores)('policies of purchase checks on %s', (store) => {
  let harness: CliHarness
  let own: readonly string[]

  beforeAll(async () => {
    harness = await openCliHarness(store)
    own = ['--application', (await seedApplication(harness.db, [])).id]
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const set = (...options: string[]) => harness.cli('purchases', 'set-policy', ...options, ...own)
  const effective = async () =>
    new Map(
      (
        await harness.json<{ rule: string; action: string; limits: string }[]>('purchases', 'policy', ...own)
      ).map(({ rule, action, limits }) => [rule, `${action} ${limits}`]),
    )

  test('are set and shown', async () => {
    expect((await effective()).get('near_merchant')).toBe(
      'decline maxDistanceMeters=500 maxSpeedKmh=110 maxAgeSeconds=900',
    )
    const { out } = await set(
      '--stage',
      'v1',
      '--rule',
      'standing=off',
      '--rule',
      'near_merchant=confirm',
      '--limit',
      'near_merchant.maxDistanceMeters=800',
    )
    expect(out).toMatch(/VERSION\s+1/)
    expect((await effective()).get('near_merchant')).toBe(
      'confirm maxDistanceMeters=800 maxSpeedKmh=110 maxAgeSeconds=900',
    )
    await set('--tag', 'west', '--stage', 'v0', '--effective-at', '2099-01-01T00:00:00Z')
    expect(await harness.json('purchases', 'policies', ...own)).toMatchObject([
      { version: 2, target: 'tag:west', stage: 'v0', effectiveAt: '2099-01-01T00:00:00.000Z' },
      { version: 1, target: 'application', stage: 'v1', rules: 'near_merchant,standing' },
    ])
  })

  test('name the settings of the earlier policy that they drop', async () => {
    const tag = ['--tag', 'east']
    const limits = [
      '--limit',
      'near_merchant.maxDistanceMeters=800',
      '--limit',
      'near_merchant.maxSpeedKmh=90',
    ]
    await set(...tag, '--rule', 'standing=off', ...limits)
    const { error } = await set(...tag, '--stage', 'v1', ...limits.slice(2))
    expect(error).toMatch(/that it no longer has: standing, near_merchant\.maxDistanceMeters$/m)
    expect((await set(...tag, '--stage', 'v2', ...limits.slice(2))).error).not.toContain('no longer has')
  })

  test('set working hours', async () => {
    const limit = (...values: string[]) => values.flatMap((value) => ['--limit', `working_hours.${value}`])
    await set(...limit('fromHour=6.5', 'untilHour=20', 'days=monday,friday', 'timeZone=America/Chicago'))
    expect((await effective()).get('working_hours')).toBe(
      'flag fromHour=6.5 untilHour=20 days=monday,friday timeZone=America/Chicago',
    )
    for (const [wrong, message] of [
      ['days=monday,someday', 'Give one of monday, tuesday'],
      ['fromHour=early', 'Give a number as fromHour.'],
      ['timeZone=Mars', 'Give a name such as America/Chicago.'],
    ] as const)
      expect((await set(...limit(wrong))).error).toContain(message)
  })

  test.each<[string, string[], RegExp]>([
    ['an unknown stage', ['--stage', 'v4'], /v0, v1, v2, v3/],
    ['an unknown rule', ['--rule', 'distance=off'], /near_merchant/],
    ['an unknown action', ['--rule', 'standing=refuse'], /off, log, flag, confirm, decline/],
    ['an unknown limit', ['--limit', 'standing.speed=3'], /maxSpeedKmh/],
    ['a limit of another rule', ['--limit', 'standing.maxPurchases=3'], /STANDING has no limit/],
    ['an unknown vehicle', ['--target', unknownId('vehicle')], /no such vehicle/],
  ])('are not set with %s', async (_, options, message) => {
    const { code, error } = await set(...options)
    expect([code === 0, error]).toEqual([false, expect.stringMatching(message)])
  })
})

describe.each(stores)('the summary of purchases on %s', (store) => {
  let harness: CliHarness
  let own: readonly string[]
  let hidden: string

  beforeAll(async () => {
    harness = await openCliHarness(store)
    const today = Date.now()
    const application = await seedApplication(harness.db, [
      (owner) => {
        const vehicles = [vehicleRow(owner), vehicleRow(owner)]
        const [shown, other] = vehicles as [(typeof vehicles)[number], (typeof vehicles)[number]]
        const authorization = purchaseCheckRow(owner, { vehicleId: shown.id, purchasedAt: today })
        const capture = { ...captureRow(owner, authorization), purchasedAt: today, reconciliation: null }
        const euros = { amount: { value: 10, currency: 'EUR' } }
        hidden = other.id
        return {
          vehicles,
          purchaseChecks: [
            authorization,
            capture,
            purchaseCheckRow(owner, { vehicleId: shown.id, purchasedAt: today, ...euros }),
            purchaseCheckRow(owner, { vehicleId: shown.id, purchasedAt: today - 3 * 86_400_000 }),
            purchaseCheckRow(owner, { vehicleId: hidden, purchasedAt: today }),
          ],
        }
      },
    ])
    await setFilters(harness.db, application.connections[0]!, { vehicles: { excludeIds: [hidden] } })
    own = ['--application', application.id]
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const summary = (...options: readonly string[]) => harness.cli('purchases', 'summary', ...own, ...options)
  const headingOf = (out: string) => out.split('\n')[0]!

  test('is a table by rule', async () => {
    const { code, out, error } = await summary('--days', '2')
    expect([code, error]).toEqual([0, expect.stringMatching(/^Purchases from .*T00:00:00.000Z to /)])
    const [heading, ...rows] = out.trim().split('\n')
    expect(heading).toMatch(/^RULE +FAILED +PASSED +LACKED FACTS +PURCHASES +SPEND/)
    expect(heading).not.toMatch(/V1 UNKNOWN/)
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
      ['near_merchant', '0', '3', '0'],
      ['tank_fits', '0', '0', '3 (100 %)'],
    ])
  })

  test('is a table by vehicle, without hidden ones', async () => {
    const { out } = await summary('--by', 'vehicle', '--days', '2')
    expect(out).toMatch(/10.00 EUR, 125.00 USD +90.5/)
    expect(headingOf(out)).toMatch(
      /AVOIDED +FLAGGED +DECLINED +CONFIRM +UNKNOWN +V1 DECLINES +V1 AVOIDS +V1 CONFIRMS +V1 UNKNOWN +V1 DECLINED CAPTURES +V2 DECLINES/,
    )
    expect(out).toMatch(/2 \(100 %\)/)
    expect(out).not.toContain(hidden)
  })

  test('is JSON with the period and the number of all groups', async () => {
    const days = await harness.json('purchases', 'summary', ...own, '--by', 'day')
    const latest = {
      purchases: 2,
      captures: 1,
      wouldBeUnknown: { v1: 0, v2: 2 },
      spend: [{ currency: 'EUR' }, { currency: 'USD' }],
    }
    expect(days).toMatchObject({
      purchasedAfter: expect.stringMatching(/T00:00:00.000Z$/),
      purchasedBefore: expect.stringMatching(/^20.*Z$/),
      totalGroups: 2,
      groups: [{ purchases: 1, captures: 0 }, latest],
    })
    const one = await harness.cli('purchases', 'summary', ...own, '--by', 'day', '--limit', '1', '--json')
    expect(JSON.parse(one.out)).toMatchObject({ totalGroups: 2, groups: [latest] })
    expect(one.error).toMatch(/1 of 2 groups are left out: use --limit/)
  })

  test('is of a chosen period and vehicle', async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const of = (...options: readonly string[]) =>
      harness.json('purchases', 'summary', ...own, '--by', 'day', ...options)
    const [since, until] = [at(4), at(2)]
    const earlier = { purchasedAfter: since, purchasedBefore: until, groups: [{ checks: 1 }] }
    expect(await of('--since', since, '--until', until)).toMatchObject(earlier)
    expect(await of('--days', '3', '--until', until)).toMatchObject({ groups: [{ checks: 1 }] })
    expect(await of('--vehicle', hidden)).toMatchObject({ totalGroups: 0 })
  })

  test.each<[string, string[], RegExp]>([
    ['an unknown group', ['--by', 'card'], /day, vehicle, driver, merchant, rule/],
    ['too many days', ['--days', '93'], /1 to 92/],
    ['no days', ['--days', '0'], /1 to 92/],
    ['too many groups', ['--limit', '1001'], /1 to 1000/],
    ['two starts', ['--since', '2026-01-01T00:00:00Z', '--days', '3'], /--days.*--since|--since.*--days/],
    ['a long period', ['--since', '2026-01-01T00:00:00Z', '--until', '2026-06-01T00:00:00Z'], /92 days/],
    [
      'an empty period',
      ['--since', '2026-01-01T00:00:00Z', '--until', '2026-01-01T00:00:00Z'],
      /--since must/,
    ],
    ['the id of a driver', ['--vehicle', unknownId('driver')], /vehicleIds/],
    ['an unknown application', ['--application', unknownId('application')], /application/],
  ])('is refused with %s', async (_, options, message) => {
    const { code, error } = await harness.cli('purchases', 'summary', ...own, ...options)
    expect([code === 0, error]).toEqual([false, expect.stringMatching(message)])
  })
})
