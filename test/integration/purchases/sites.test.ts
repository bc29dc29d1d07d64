import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { findKnownPlaces } from '../../../src/subgraphs/purchases/evidence/find-known-places.ts'
import {
  type ApiClient,
  dialects,
  latestLocationRow,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { seedPurchaseSites } from '../../support/rows/purchase-rows.ts'

const executor = createInProcessExecutor(supergraph)

const SET = documentOf(`mutation ($input: SetPurchaseSiteInput!) {
  setPurchaseSite(input: $input) {
    site { id siteId name coordinates { longitude latitude } radiusMeters postalCode city state country modifiedAt }
  }
}`)
const REMOVE = documentOf(
  'mutation ($input: RemovePurchaseSiteInput!) { removePurchaseSite(input: $input) { siteId } }',
)
const LIST = documentOf(
  'query ($first: Int, $after: String, $siteId: String) { purchaseSites(first: $first, after: $after, siteId: $siteId) { totalCount pageInfo { endCursor hasNextPage } nodes { id siteId name radiusMeters } } }',
)
const CHECKED = `id reasons { rule outcome measured } merchant { siteId } evidence {
  distanceMeters merchantPlace { longitude latitude } merchantAccuracyMeters merchantPlaceSource merchantSiteId
}`
const CHECK = documentOf(
  `mutation ($input: CheckPurchaseInput!) { checkPurchase(input: $input) { replayed recorded check { ${CHECKED} } } }`,
)
const CAPTURE = documentOf(
  `mutation ($input: CaptureForCheckInput!) { captureForCheck(input: $input) { check { ${CHECKED} } } }`,
)
const FIND = documentOf(`query ($id: ID!) { purchaseCheck(id: $id) { ${CHECKED} } }`)

interface Check {
  readonly id: string
  readonly reasons: readonly { rule: string; outcome: string; measured: number | null }[]
  readonly evidence: Readonly<Record<string, unknown>>
}

const AUSTIN = { longitude: -97.7431, latitude: 30.2672 }
/** 16 km from the trucks in Austin, in the same area of its ZIP code. */
const ROUND_ROCK = { longitude: -97.69, latitude: 30.4 }
const DALLAS = { longitude: -96.797, latitude: 32.7767 }
const ADDRESS = { postalCode: '78701', city: 'Austin', state: 'TX', country: 'US' }

/** Trucks that stand in Austin. */
const fleet: RecordsOf = (owner) => {
  const vehicles = [vehicleRow(owner, {}), vehicleRow(owner, {})]
  return {
    vehicles,
    latestLocations: vehicles.map(({ id }) =>
      latestLocationRow(owner, {
        vehicleId: id,
        ...AUSTIN,
        locatedAt: Date.now() - 20_000,
        modifiedAt: Date.now(),
        speed: 0,
      }),
    ),
  }
}

describe.each(dialects)('a site of the application on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication
  let vehicles: string[]

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  beforeEach(async () => {
    application = await seedApplication(db, [fleet])
    vehicles = application.connections[0]!.vehicles.map(({ id }) => id)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  interface Options {
    readonly client?: ApiClient
    readonly contexts?: ContextFor
  }

  const send = (
    document: typeof SET,
    variables: Readonly<Record<string, unknown>>,
    { client = application.client, contexts = contextFor }: Options = {},
  ) => ask(executor, contexts, { client, document, variables })

  async function payload<Payload>(...request: Parameters<typeof send>): Promise<Payload> {
    const { data, errors } = await send(...request)
    expect(errors).toBeUndefined()
    return Object.values(data as object)[0] as Payload
  }

  const codeOf = async (...request: Parameters<typeof send>) =>
    (await send(...request)).errors?.[0]?.extensions?.['code']

  const siteInput = (values: object = {}) => ({
    siteId: 'site-1',
    name: "Love's Travel Stop #322",
    coordinates: AUSTIN,
    ...values,
  })

  const set = async (values: object = {}, options?: Options) =>
    (await payload<{ site: object & { id: string } }>(SET, { input: siteInput(values) }, options)).site

  const list = (variables: Parameters<typeof send>[1] = {}, options?: Options) =>
    payload<{
      totalCount: number
      nodes: object[]
      pageInfo: { endCursor: string; hasNextPage: boolean }
    }>(LIST, variables, options)

  const purchase = (merchant: object, values: object = {}) => ({
    input: {
      idempotencyKey: newId('event'),
      vehicleId: vehicles[0],
      merchant: { name: 'LOVES TRAVEL STOP 322', categoryCode: '5542', ...merchant },
      amount: { value: 1, currency: 'USD' },
      ...values,
    },
  })

  const check = async (merchant: object, values: object = {}, options?: Options) =>
    (await payload<{ check: Check }>(CHECK, purchase(merchant, values), options)).check

  const outcomeOf = ({ reasons }: Check, name: string) => reasons.find(({ rule }) => rule === name)?.outcome

  const sourceOf = ({ evidence }: Check) => evidence['merchantPlaceSource']

  const storedSites = () =>
    db.rows<{ siteId: string }>('SELECT `siteId` FROM `purchase_sites` WHERE `applicationId` = ?', [
      application.id,
    ])

  const auditOf = async (action: string) =>
    (
      await db.rows<{ detail: string }>(
        'SELECT `detail` FROM `audit_log` WHERE `applicationId` = ? AND `action` = ? ORDER BY `id`',
        [application.id, action],
      )
    ).map(({ detail }) => JSON.parse(detail) as Record<string, unknown>)

  test('that a purchase names decides whether the vehicle was near', async () => {
    const site = await set({ radiusMeters: 150 })
    expect(site).toMatchObject({
      ...siteInput({ radiusMeters: 150 }),
      postalCode: null,
      country: null,
      modifiedAt: expect.any(String),
    })
    const near = await check({ siteId: 'site-1', address: ADDRESS })
    expect(outcomeOf(near, 'NEAR_MERCHANT')).toBe('PASS')
    expect(near).toMatchObject({
      merchant: { siteId: 'site-1' },
      evidence: {
        distanceMeters: 0,
        merchantPlace: AUSTIN,
        merchantAccuracyMeters: 150,
        merchantPlaceSource: 'SITE',
        merchantSiteId: 'site-1',
      },
    })
    await set({ siteId: 'site-2', coordinates: ROUND_ROCK })
    const byCode = await check({ address: { ...ADDRESS, postalCode: '78664', city: 'Round Rock' } })
    expect([outcomeOf(byCode, 'NEAR_MERCHANT'), sourceOf(byCode)]).not.toContain('SITE')
    const far = await check({ siteId: 'site-2', address: ADDRESS })
    expect([outcomeOf(far, 'NEAR_MERCHANT'), sourceOf(far)]).toEqual(['FAIL', 'SITE'])
  })

  test('is found by the name, the postal code and the country', async () => {
    await set({ coordinates: ROUND_ROCK, ...ADDRESS, city: null })
    const found = await check({ address: { ...ADDRESS, postalCode: '78701-1234' } })
    expect([outcomeOf(found, 'NEAR_MERCHANT'), sourceOf(found)]).toEqual(['FAIL', 'SITE'])
    expect(found.evidence).toMatchObject({ merchantSiteId: 'site-1', merchantAccuracyMeters: 100 })
    for (const merchant of [
      { name: 'LOVES TRAVEL STOP 323', address: ADDRESS },
      { address: { ...ADDRESS, postalCode: '78704' } },
    ])
      expect(sourceOf(await check(merchant))).toBe('POSTAL_CODE')
    expect(sourceOf(await check({ address: { postalCode: '78701', country: 'MX' } }))).toBeNull()
    await set({ siteId: 'toronto', ...ADDRESS, country: 'CA', postalCode: 'M5V 3A1' })
    const canadian = await check({ address: { country: 'CA', postalCode: 'm5v3a1' } })
    expect(canadian.evidence).toMatchObject({ merchantSiteId: 'toronto' })
  })

  test('is not found by its name and postal code if another one has them', async () => {
    await set(ADDRESS)
    await set({ siteId: 'site-2', name: 'Loves Travel Stop, 322', ...ADDRESS })
    expect(sourceOf(await check({ address: ADDRESS }))).toBe('POSTAL_CODE')
    expect(sourceOf(await check({ siteId: 'site-2', address: ADDRESS }))).toBe('SITE')
    await payload(REMOVE, { input: { siteId: 'site-2' } })
    expect((await check({ address: ADDRESS })).evidence).toMatchObject({ merchantSiteId: 'site-1' })
  })

  test('that is unknown leaves the place to the other sources', async () => {
    const unknown = { siteId: 'unknown' }
    expect(sourceOf(await check(unknown))).toBeNull()
    expect(sourceOf(await check({ ...unknown, address: { ...ADDRESS, postalCode: null } }))).toBe('CITY')
    expect(sourceOf(await check({ ...unknown, address: ADDRESS }))).toBe('POSTAL_CODE')
    await set({ coordinates: ROUND_ROCK, ...ADDRESS })
    expect((await check({ ...unknown, address: ADDRESS })).evidence).toMatchObject({
      merchantPlaceSource: 'SITE',
      merchantSiteId: 'site-1',
    })
    expect(sourceOf(await check({ ...unknown, address: ADDRESS, coordinates: AUSTIN }))).toBe('COORDINATES')
    await set({ siteId: 'named', coordinates: DALLAS })
    const all = { siteId: 'named', address: ADDRESS, coordinates: AUSTIN }
    expect((await check(all)).evidence).toMatchObject({ merchantSiteId: 'named', merchantPlace: DALLAS })
    // The id is compared exactly.
    for (const siteId of ['Named', 'named ', ' named'])
      expect(sourceOf(await check({ ...all, siteId }))).toBe('COORDINATES')
  })

  test('places both purchases of a card', async () => {
    await set({ siteId: 'austin', coordinates: AUSTIN })
    await set({ siteId: 'near', coordinates: ROUND_ROCK, ...ADDRESS })
    const twoPlaces = async (merchant: object, cardId: string) =>
      outcomeOf(await check(merchant, { cardId, vehicleId: vehicles[1] }), 'ONE_CARD_TWO_PLACES')
    // Both have the ZIP code, whose area is wider than their distance.
    await check({ name: 'Other', address: ADDRESS }, { cardId: 'without' })
    expect(await twoPlaces({ name: 'Another', address: ADDRESS }, 'without')).toBe('PASS')
    await check({ siteId: 'austin', name: 'Other', address: ADDRESS }, { cardId: 'with' })
    expect(await twoPlaces({ address: ADDRESS }, 'with')).toBe('FAIL')
    // The site of the other purchase is found by its name and postal code.
    await check({ address: ADDRESS }, { cardId: 'matched' })
    expect(await twoPlaces({ name: 'Other', coordinates: AUSTIN }, 'matched')).toBe('FAIL')
  })

  test('places the capture of a purchase', async () => {
    await set()
    const { id } = await check({ siteId: 'site-1' })
    const input = { idempotencyKey: 'capture', checkId: id, amount: { value: 1, currency: 'USD' } }
    const { check: capture } = await payload<{ check: Check }>(CAPTURE, { input })
    expect(capture).toMatchObject({ merchant: { siteId: 'site-1' }, evidence: { merchantSiteId: 'site-1' } })
  })

  test('of another application is never used', async () => {
    const other = await seedApplication(db, [fleet])
    const [mine, theirs] = [application, other]
    application = theirs
    await set({ siteId: 'theirs', ...ADDRESS })
    application = mine
    expect(await list({ siteId: 'theirs' })).toMatchObject({ totalCount: 0, nodes: [] })
    expect(sourceOf(await check({ siteId: 'theirs' }))).toBeNull()
    expect(sourceOf(await check({ siteId: 'theirs', address: ADDRESS }))).toBe('POSTAL_CODE')
    await payload(REMOVE, { input: { siteId: 'theirs' } })
    await set({ siteId: 'theirs', name: 'Mine' })
    expect(await list({}, { client: theirs.client })).toMatchObject({
      totalCount: 1,
      nodes: [{ siteId: 'theirs', name: "Love's Travel Stop #322" }],
    })
  })

  test('is used by each connection, which can neither set nor list it', async () => {
    await set()
    const client = application.narrowed(0)
    expect(sourceOf(await check({ siteId: 'site-1' }, {}, { client }))).toBe('SITE')
    for (const [document, variables] of [
      [SET, { input: siteInput({ name: 'Other' }) }],
      [REMOVE, { input: { siteId: 'site-1' } }],
      [LIST, {}],
    ] as const)
      expect(await codeOf(document, variables, { client })).toBe('FORBIDDEN')
    expect(await list()).toMatchObject({ nodes: [{ name: "Love's Travel Stop #322" }] })
  })

  test.each<[string, object, RegExp]>([
    ['no id', { siteId: ' ' }, /1 to 255.*input\.siteId/],
    ['a long id', { siteId: 'x'.repeat(256) }, /1 to 255.*input\.siteId/],
    ['no name', { name: '' }, /1 to 255.*input\.name/],
    [
      'a longitude off the Earth',
      { coordinates: { longitude: 181, latitude: 0 } },
      /-180 to 180.*input\.coordinates/,
    ],
    [
      'a latitude off the Earth',
      { coordinates: { longitude: 0, latitude: -90.1 } },
      /-90 to 90.*input\.coordinates/,
    ],
    ['unknown coordinates', { coordinates: { longitude: 0, latitude: 0 } }, /in the sea.*input\.coordinates/],
    ['a radius that is too small', { radiusMeters: 9.9 }, /10 to 5000.*input\.radiusMeters/],
    ['a radius that is too large', { radiusMeters: 5001 }, /10 to 5000.*input\.radiusMeters/],
    ['an empty postal code', { postalCode: '', country: 'US' }, /1 to 255.*input\.postalCode/],
    [
      'a ZIP code without its zero',
      { postalCode: '2134', country: 'US' },
      /five or nine digits.*input\.postalCode/,
    ],
    [
      'a postal code without a country',
      { postalCode: '78701' },
      /country of the postal code.*input\.country/,
    ],
    ['a long city', { city: 'x'.repeat(256) }, /1 to 255.*input\.city/],
    ['an empty state', { state: '' }, /1 to 255.*input\.state/],
    ['a country by its name', { country: 'Canada' }, /two capital letters.*input\.country/],
  ])('is not set with %s', async (_, values, message) => {
    const { errors } = await send(SET, { input: siteInput(values) })
    expect(errors?.[0]?.extensions?.['code']).toBe('BAD_USER_INPUT')
    expect(JSON.stringify(errors)).toMatch(message)
    expect([await storedSites(), await auditOf('purchase_site.set')]).toEqual([[], []])
  })

  test('of a purchase has at most 255 characters', async () => {
    for (const siteId of ['', 'x'.repeat(256)])
      expect(await codeOf(CHECK, purchase({ siteId }))).toBe('BAD_USER_INPUT')
  })

  test('is changed and removed, and checks of the past stay as they are', async () => {
    const first = await set({ ...ADDRESS })
    const made = await check({ siteId: 'site-1' })
    expect((await set({ ...ADDRESS })).id).toBe(first.id)
    expect(await auditOf('purchase_site.set')).toHaveLength(1)
    const changed = await set({ coordinates: DALLAS, radiusMeters: 300 })
    expect([changed.id, changed]).toEqual([first.id, expect.objectContaining({ postalCode: null })])
    expect(sourceOf(await check({ address: ADDRESS }))).toBe('POSTAL_CODE')
    expect((await check({ siteId: 'site-1' })).evidence).toMatchObject({ merchantPlace: DALLAS })
    expect(await auditOf('purchase_site.set')).toMatchObject([
      { siteId: 'site-1', ...AUSTIN, before: null },
      { siteId: 'site-1', ...DALLAS, radiusMeters: 300, before: { ...AUSTIN, radiusMeters: 100 } },
    ])
    for (let times = 0; times < 2; times++)
      expect(await payload(REMOVE, { input: { siteId: 'site-1' } })).toEqual({ siteId: 'site-1' })
    expect(await auditOf('purchase_site.removed')).toMatchObject([{ siteId: 'site-1', before: DALLAS }])
    expect([await storedSites(), sourceOf(await check({ siteId: 'site-1' }))]).toEqual([[], null])
    expect(await payload(FIND, { id: made.id })).toEqual(made)
  })

  test('is stored once by concurrent requests', async () => {
    const sites = await Promise.all(
      Array.from({ length: 8 }, (_, at) => set({ name: `Station ${at % 2}`, ...ADDRESS })),
    )
    expect(new Set(sites.map(({ id }) => id)).size).toBe(1)
    expect(await storedSites()).toEqual([{ siteId: 'site-1' }])
  })

  test('is listed with the others, page by page', async () => {
    for (const siteId of ['c', 'a', 'b']) await set({ siteId })
    await set({ siteId: 'c', name: 'Later' })
    const { totalCount, nodes, pageInfo } = await list({ first: 2 })
    expect([totalCount, nodes]).toMatchObject([3, [{ siteId: 'c', name: 'Later' }, { siteId: 'a' }]])
    expect(await list({ first: 2, after: pageInfo.endCursor })).toMatchObject({ nodes: [{ siteId: 'b' }] })
    expect(await list({ siteId: 'a' })).toMatchObject({ totalCount: 1, nodes: [{ siteId: 'a' }] })
  })

  test('is still the place of a repeated purchase whose vehicle is hidden', async () => {
    await set()
    const repeated = purchase({ siteId: 'site-1' })
    await payload(CHECK, repeated)
    await setFilters(db, application.connections[0]!, { vehicles: { excludeIds: vehicles } })
    await set({ coordinates: DALLAS })
    expect(await payload(CHECK, repeated)).toMatchObject({
      replayed: true,
      check: { evidence: { distanceMeters: null, merchantPlace: AUSTIN, merchantSiteId: 'site-1' } },
    })
  })

  const readsOf = async (merchant: object, cardId: string) => {
    const statements: string[] = []
    const stop = db.onStatement((sql) => void statements.push(sql))
    await check(merchant, { cardId })
    stop()
    return statements.filter((sql) => sql.startsWith('SELECT'))
  }

  test('costs one statement, however many purchases have one, and none without site or address', async () => {
    for (const siteId of ['a', 'b', 'c']) await set({ siteId, ...ADDRESS })
    const without = await readsOf({ coordinates: AUSTIN }, 'card')
    expect(without.filter((sql) => sql.includes('purchase_sites'))).toEqual([])
    for (const siteId of ['a', 'b', 'unknown'])
      await check({ siteId, address: ADDRESS }, { cardId: 'card', vehicleId: vehicles[1] })
    await check({ name: 'Other', address: ADDRESS }, { cardId: 'card' })
    const reads = await readsOf({ siteId: 'c', address: ADDRESS }, 'card')
    expect(reads.filter((sql) => sql.includes('purchase_sites'))).toHaveLength(1)
    expect(reads).toHaveLength(without.length + 1)
  })

  test('that is not read in time makes a check UNKNOWN, with the other sources as evidence', async () => {
    await set()
    const late: typeof db = {
      ...db,
      rows: (sql, parameters) =>
        sql.includes('purchase_sites') ? new Promise(() => undefined) : db.rows(sql, parameters),
    }
    const contexts = contextsOver(late, undefined, undefined, 300)
    // Loads the table of postal codes.
    await check({ address: ADDRESS })
    const made = await payload<{ recorded: boolean; check: Check }>(
      CHECK,
      purchase({ siteId: 'site-1', address: ADDRESS }),
      { contexts },
    )
    expect([made.recorded, sourceOf(made.check)]).toEqual([true, 'POSTAL_CODE'])
    expect(outcomeOf(made.check, 'FREQUENCY')).toBe('PASS')
    const { decision } = await payload<{ decision: string }>(
      documentOf('query ($id: ID!) { purchaseCheck(id: $id) { decision } }'),
      { id: made.check.id },
    )
    expect(decision).toBe('UNKNOWN')
  })
})

// It has its own database: after EXPLAIN, the embedded database keeps its snapshot.
test.each(dialects)('sites are found by the indexes of their keys on %s', async (dialect) => {
  await using db = await temporaryDatabase(dialect)
  const applicationId = newId('application')
  await seedPurchaseSites(db, applicationId, 2000)
  const merchants = Array.from({ length: 60 }, (_, at) => ({
    siteId: `site-${at}`,
    name: `Station ${at + 100}`,
    address: ADDRESS,
  }))
  const reads: [string, readonly unknown[]][] = []
  const watched: Pick<Database, 'rows' | 'dialect'> = {
    dialect,
    rows: (sql, parameters = []) => {
      reads.push([sql, parameters])
      return db.rows(sql, parameters)
    },
  }
  const placesOf = await findKnownPlaces(
    watched,
    { applicationId, connectionId: newId('connection') },
    merchants,
  )
  expect(placesOf!(merchants[7]!)).toMatchObject({
    named: { siteId: 'site-7', radiusMeters: 100 },
    matched: { siteId: 'site-107' },
  })
  expect(reads).toHaveLength(1)
  const [sql, parameters] = reads[0]!
  const explain = dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
  const plan = JSON.stringify(await db.rows(`${explain} ${sql}`, parameters))
  expect(plan).toContain('purchase_sites_siteHash')
  expect(plan).toContain('purchase_sites_matchKey')
  expect(plan).not.toContain('"key":"purchase_sites_applicationId_id"')
  expect(plan).not.toMatch(/USING INDEX purchase_sites_applicationId_id|SCAN purchase_sites/)
})
