import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { type Kind, newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { isInTenant } from '../../../src/storage/sql/where.ts'
import {
  callerOf,
  dialects,
  type ApiClient,
  seedApplication,
  type SeededApplication,
  type SeededConnection,
  temporaryDatabase,
  unknownId,
} from '../../support/factories.ts'
import {
  seedPurchasePolicies,
  seedPurchaseReplays,
  seedPurchaseSites,
} from '../../support/rows/purchase-rows.ts'
import { seedShortLinks } from '../../support/rows/short-link-rows.ts'
import { seedRequests } from '../../support/rows/request-rows.ts'
import { seedSessions, sessionOver } from '../../support/rows/session-rows.ts'
import { variedRecords } from '../../support/graph/varied/records.ts'
import {
  attempts,
  kinds,
  requiredArguments,
  type ForeignReferences,
  WHOLE_LISTS,
} from '../../support/graph/foreign-access-attempts.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { seedFleets, type SeededFleets } from '../../support/graph/fleets.ts'
import { REFERENCES_QUERY } from '../../support/graph/reference-query.ts'
import { seedDistances, seedReferences } from '../../support/graph/reference-rows.ts'
import { seedWebhooks, type WebhookIds } from '../../support/graph/webhook-rows.ts'
import { type Answer, ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)

const lists = Object.values(supergraph.apiSchema.getQueryType()!.getFields()).filter(({ type }) =>
  String(type).endsWith('Page'),
)

const unknownRecords: ForeignReferences = {
  ids: {
    ...(Object.fromEntries(kinds.map((kind) => [kind, unknownId(kind).replace(/.$/, 'Q')])) as Record<
      Kind,
      string
    >),
    // The answer for an event that is not in the log depends on the age of its id.
    event: newId('event'),
  },
  cursorOf: () => 'bm8gY3Vyc29yIG9mIG91cnM',
}

/** Returns the caller, the owner of the requested records, and the connection of these records. */
type Situation = (fleets: Fleets) => [ApiClient, ApiClient, SeededConnection]

/** The third application has three connections. */
type Fleets = SeededFleets & { readonly c: SeededApplication }

async function seedAll(db: Database): Promise<Fleets> {
  const fleets = await seedFleets(db)
  const c = await seedApplication(db, [variedRecords, variedRecords, variedRecords])
  for (const { id } of [fleets.a, fleets.b, c]) {
    await seedSessions(db, id, 3)
    await seedShortLinks(db, id, 3)
    await seedPurchasePolicies(db, id, 3)
    await seedPurchaseSites(db, id, 3)
    await seedPurchaseReplays(db, id, 3)
  }
  return { ...fleets, c }
}

const situations: Readonly<Record<string, Situation>> = {
  'an application requests records of another': ({ a, b }) => [a.client, b.narrowed(0), b.connections[0]!],
  'a connection requests records of another application': ({ a, b }) => [
    a.narrowed(0),
    b.narrowed(0),
    b.connections[0]!,
  ],
  'a connection requests records of another': ({ a }) => [a.narrowed(0), a.narrowed(1), a.connections[1]!],
  'a session requests records of another application': ({ a, b }) => [
    sessionOver(a, null),
    b.narrowed(0),
    b.connections[0]!,
  ],
  'a session of a connection requests records of another': ({ a }) => [
    sessionOver(a, [0]),
    a.narrowed(1),
    a.connections[1]!,
  ],
  'a session of two connections requests records of a third': ({ c }) => [
    sessionOver(c, [0, 2]),
    c.narrowed(1),
    c.connections[1]!,
  ],
  'a session of two connections requests records of another application': ({ b, c }) => [
    sessionOver(c, [0, 2]),
    b.narrowed(0),
    b.connections[0]!,
  ],
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let fleets: Fleets
  const webhooks = new Map<string, WebhookIds>()
  /** Request ids in the request log, by application. */
  const requestIds = new Map<string, string>()

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    fleets = await seedAll(db)
    for (const seeded of [fleets.a, fleets.b, fleets.c]) {
      webhooks.set(seeded.id, await seedWebhooks(db, seeded))
      const { id: connectionId } = seeded.connections[0]!.connection
      const [first] = await seedRequests(db, seeded.id, 3, { connectionId })
      requestIds.set(seeded.id, first!.requestId)
    }
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const execute = (client: ApiClient, text: string, variables = {}): Promise<Answer> =>
    ask(executor, contextFor, { client, document: documentOf(text), variables })

  async function referencesTo(owner: ApiClient, seeded: SeededConnection): Promise<ForeignReferences> {
    const cursors = new Map<string, string>()
    for (const { name } of lists) {
      const text = `{ ${name}(${requiredArguments[name] ?? ''}first: 2) { pageInfo { endCursor } } }`
      const answer = await execute(owner, text)
      // Some lists refuse a connection token.
      const { data } = answer.errors ? await execute({ ...owner, connectionId: null }, text) : answer
      cursors.set(
        name,
        (data as Record<string, { pageInfo: { endCursor: string } }>)[name]!.pageInfo.endCursor,
      )
    }
    return {
      ids: {
        ...idsOf(seeded),
        ...webhooks.get(owner.applicationId)!,
        loggedRequest: requestIds.get(owner.applicationId)!,
      },
      cursorOf: (list) => cursors.get(list)!,
    }
  }

  describe.each(Object.entries(situations))('%s', (_, situation) => {
    test.each(Object.keys(attempts))('%s gives the same answer as for an unknown record', async (field) => {
      const [client, owner, seeded] = situation(fleets)
      const theirs = await referencesTo(owner, seeded)
      for (const { text, variables } of attempts[field]!) {
        const answer = await execute(client, text, variables(theirs))
        expect([text, answer]).toEqual([text, await execute(client, text, variables(unknownRecords))])
        expectNothingOf(seeded, answer)
      }
    })

    test('the owner does not get the answer for an unknown record', async () => {
      const [, owner, seeded] = situation(fleets)
      const theirs = await referencesTo(owner, seeded)
      for (const { text, variables } of [
        ...attempts['vehicle']!,
        ...attempts['trips']!,
        ...attempts['events']!,
        ...attempts['sync']!,
        ...attempts['issue']!,
        ...attempts['trailer']!,
        ...attempts['cameraMedia']!.slice(0, 1),
        ...attempts['hosLogs']!,
        ...attempts['hosAvailableTimes']!,
        ...attempts['faultCodeEvents']!,
        ...attempts['vehicleUtilization']!,
        ...attempts['iftaSummary']!,
      ]) {
        const answer = await execute(owner, text, variables(theirs))
        expect([text, answer]).not.toEqual([text, await execute(owner, text, variables(unknownRecords))])
      }
    })

    test('no list contains records of the other', async () => {
      const [client, , seeded] = situation(fleets)
      for (const text of WHOLE_LISTS) {
        // Sessions cannot read connection tokens.
        const answer = await execute(client, client.caller ? text.replaceAll(' token', '') : text)
        expect(answer.errors).toBeUndefined()
        expect(JSON.stringify(answer).length).toBeGreaterThan(500)
        expectNothingOf(seeded, answer)
      }
    })

    test('references to rows of the other resolve to null', async () => {
      const own = await seedAll(db)
      const [client, , seeded] = situation(own)
      const [ownConnection] = ownedBy(client, own)
      const [theirs, none] = [idsOf(seeded), unknownRecords.ids]
      const answer = await execute(client, REFERENCES_QUERY, await seedReferences(db, ownConnection!, theirs))
      const expected = await execute(client, REFERENCES_QUERY, await seedReferences(db, ownConnection!, none))
      expect(withoutIds(answer, theirs)).toEqual(withoutIds(expected, none))
    })

    test('no sum includes rows of the other', async () => {
      const own = await seedAll(db)
      const [client, , seeded] = situation(own)
      const before = await execute(client, SUMS)
      const [{ vehicles }] = ownedBy(client, own) as [SeededConnection]
      await seedDistances(db, seeded, vehicles[0]!.id)
      expect(before.errors).toBeUndefined()
      expect(await execute(client, SUMS)).toEqual(before)
    })
  })

  test('a session of two connections reads the records of both', async () => {
    const { c } = fleets
    const totalCountOf = async (client: ApiClient, list: string) => {
      const { data, errors } = await execute(client, `{ ${list} { totalCount } }`)
      if (errors) throw new Error(JSON.stringify(errors))
      return (data as Record<string, { totalCount: number }>)[list]!.totalCount
    }
    for (const { name } of lists.filter((list) => !NOT_ADDITIVE.has(list.name) && !KEY_ONLY.has(list.name))) {
      const [first, third] = [
        await totalCountOf(c.narrowed(0), name),
        await totalCountOf(c.narrowed(2), name),
      ]
      expect([name, await totalCountOf(sessionOver(c, [0, 2]), name)]).toEqual([name, first + third])
      expect([name, await totalCountOf(sessionOver(c, [2]), name)]).toEqual([name, third])
      expect([name, await totalCountOf(sessionOver(c, null), name)]).toEqual([
        name,
        await totalCountOf(c.client, name),
      ])
    }
  })

  test('only the secret key of the application can read webhooks', async () => {
    const theirs = await referencesTo(fleets.b.narrowed(0), fleets.b.connections[0]!)
    for (const field of ['webhookEndpoints', 'webhookEndpoint', 'webhookDelivery'])
      for (const { text, variables } of attempts[field]!) {
        const answer = await execute(fleets.b.client, text, variables(theirs))
        expect(answer.errors).toBeUndefined()
        expect(JSON.stringify(answer)).toMatch(/whd_|evt_|"nodes":\[\]/)
        const narrowed = await execute(fleets.b.narrowed(0), text, variables(theirs))
        expect(narrowed.errors?.[0]?.extensions?.code).toBe('FORBIDDEN')
      }
    const all =
      '{ webhookEndpoints { nodes { id url secrets { id } deliveries { nodes { id eventId event { id } attempts { id request { url body } } } } } } }'
    const listed = JSON.stringify(await execute(fleets.a.client, all))
    expect(listed).toContain(webhooks.get(fleets.a.id)!.webhookAttempt)
    for (const id of [fleets.b.id, ...Object.values(webhooks.get(fleets.b.id)!)])
      expect(listed).not.toContain(id)
    expectNothingOf(fleets.b.connections[0]!, JSON.parse(listed) as Answer)
  })

  test('only the secret key of the application can read the audit log', async () => {
    const theirs = await referencesTo(fleets.b.narrowed(0), fleets.b.connections[0]!)
    const endpoint = webhooks.get(fleets.b.id)!.webhookEndpoint
    for (const { text, variables } of attempts['auditLog']!) {
      expect((await execute(fleets.b.client, text, variables(theirs))).errors).toBeUndefined()
      const narrowed = await execute(fleets.b.narrowed(0), text, variables(theirs))
      expect(narrowed.errors?.[0]?.extensions?.code).toBe('FORBIDDEN')
    }
    const ofTarget = `{ auditLog(targetId: "${endpoint}") { nodes { action targetId } } }`
    expect(await execute(fleets.b.client, ofTarget)).toEqual({
      data: { auditLog: { nodes: [{ action: 'webhook_endpoint.created', targetId: endpoint }] } },
    })
    const all = '{ auditLog(first: 1000) { nodes { id action targetId detail actor { kind id } } } }'
    const listed = JSON.stringify(await execute(fleets.a.client, all))
    expect(listed).toContain(webhooks.get(fleets.a.id)!.webhookEndpoint)
    expect(listed).not.toContain(endpoint)
  })

  test('only the secret key of the application can read the request log', async () => {
    const theirs = await referencesTo(fleets.b.narrowed(0), fleets.b.connections[0]!)
    for (const { text, variables } of [...attempts['request']!, ...attempts['requests']!]) {
      const { data, errors } = await execute(fleets.b.client, text, variables(theirs))
      expect(errors).toBeUndefined()
      expect(JSON.stringify(data)).toContain(text.includes('ursor: ') ? '"nodes"' : theirs.ids.loggedRequest)
      for (const client of [fleets.b.narrowed(0), sessionOver(fleets.b, null)]) {
        const refused = await execute(client, text, variables(theirs))
        expect(refused.errors?.[0]?.extensions?.code).toBe('FORBIDDEN')
      }
    }
    const listed = JSON.stringify(await execute(fleets.a.client, '{ requests { nodes { id requestId } } }'))
    expect(listed).toContain(requestIds.get(fleets.a.id)!)
    expect(listed).not.toContain(requestIds.get(fleets.b.id)!)
  })

  test('filters of a connection hide no records of another', async () => {
    const own = await seedFleets(db)
    const [first, second] = own.a.connections
    const text =
      '{ vehicles { totalCount nodes { id metadata { visibility } } } drivers { totalCount nodes { id } } }'
    const shown = async (client: ApiClient) => {
      const answer = await execute(client, text)
      return idsIn(answer, first!)
    }
    const before = [await shown(own.a.narrowed(0)), await shown(own.a.client)]
    expect(before[0]!.length).toBeGreaterThan(5)
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
    const hideAll = {
      vehicles: { excludeIds: ids(first!.vehicles) },
      drivers: { status: 'inactive' as const, excludeIds: ids(first!.drivers) },
    }
    for (const seeded of [second!, own.b.connections[0]!]) {
      await setFilters(db, seeded, hideAll)
      expect([await shown(own.a.narrowed(0)), await shown(own.a.client)]).toEqual(before)
    }
  })
})

test('every root field has attempts', () => {
  expect(Object.keys(attempts).sort()).toEqual(
    Object.keys(supergraph.apiSchema.getQueryType()!.getFields()).sort(),
  )
})

test('every id and cursor argument has an attempt', () => {
  const identifying = ['ID', '[ID', 'after', 'before']
  for (const { name, args } of Object.values(supergraph.apiSchema.getQueryType()!.getFields()))
    for (const argument of args.filter((arg) =>
      identifying.some((word) => String(arg.type).startsWith(word) || arg.name === word),
    ))
      if (argument.name !== 'externalId')
        expect(
          attempts[name]!.some(({ text }) => text.includes(`${argument.name}: $`)),
          `${name}(${argument.name})`,
        ).toBe(true)
})

const idsOf = (seeded: SeededConnection): ForeignReferences['ids'] => ({
  application: seeded.connection.applicationId,
  key: unknownId('key'),
  shortLink: unknownId('shortLink'),
  linkRun: unknownId('linkRun'),
  providerWebhook: unknownId('providerWebhook'),
  cardNetworkEndpoint: unknownId('cardNetworkEndpoint'),
  purchaseReplay: unknownId('purchaseReplay'),
  auditEntry: unknownId('auditEntry'),
  loggedRequest: unknownId('loggedRequest'),
  purchaseCheck: seeded.purchaseChecks[0]!.id,
  purchasePolicy: unknownId('purchasePolicy'),
  purchaseCard: unknownId('purchaseCard'),
  purchaseSite: unknownId('purchaseSite'),
  connection: seeded.connection.id,
  agreement: seeded.agreements[0]!.id,
  sync: seeded.syncs[0]!.id,
  vehicle: seeded.vehicles[0]!.id,
  driver: seeded.drivers[0]!.id,
  group: seeded.groups[0]!.id,
  device: seeded.devices[0]!.id,
  trip: seeded.trips[0]!.id,
  safetyEvent: seeded.safetyEvents[0]!.id,
  vehicleLocation: unknownId('vehicleLocation'),
  event: seeded.events[0]!.id,
  trailer: seeded.trailers[0]!.id,
  hosLog: seeded.hosLogs[0]!.id,
  hosDailyLog: seeded.hosDailyLogs[0]!.id,
  faultCodeEvent: seeded.faultCodeEvents[0]!.id,
  vehicleStatLog: unknownId('vehicleStatLog'),
  vehicleDay: seeded.vehicleDays[0]!.id,
  iftaReport: seeded.iftaMonths[0]!.id,
  issue: seeded.issues[0]!.id,
  webhookEndpoint: unknownId('webhookEndpoint'),
  webhookSecret: unknownId('webhookSecret'),
  webhookDelivery: unknownId('webhookDelivery'),
  webhookAttempt: unknownId('webhookAttempt'),
  session: unknownId('session'),
})

/** Returns the connections that a client may read. */
const ownedBy = (client: ApiClient, { a, b, c }: Fleets): SeededConnection[] =>
  [a, b, c]
    .flatMap(({ connections }) => connections)
    .filter(({ connection }) => isInTenant(callerOf(client), connection))

/** Lists that aggregate over connections, and lists that refuse a connection token. */
const NOT_ADDITIVE = new Set([
  'sessions',
  'keys',
  'shortLinks',
  'auditLog',
  'requests',
  'webhookEndpoints',
  'purchaseCards',
  'purchaseSites',
  'purchasePolicies',
  'purchaseReplays',
  'iftaSummary',
  'vehicleUtilization',
])

/** Lists that no session can read. */
const KEY_ONLY = new Set(['purchaseChecks'])

const SUMS = `{
  vehicleUtilization { totalCount nodes { distance fuelConsumed startAt endAt vehicle { id } raw { data } } }
  byVehicle: iftaSummary(startMonth: "2025-01", endMonth: "2026-12") { totalCount nodes { jurisdiction distance vehicle { id } raw { data } } }
  byMonth: iftaSummary(startMonth: "2025-01", endMonth: "2026-12", groupBy: [MONTH]) { totalCount nodes { month distance raw { data } } }
  byJurisdiction: iftaSummary(startMonth: "2025-01", endMonth: "2026-12", groupBy: [JURISDICTION]) { totalCount nodes { jurisdiction distance raw { data } } }
}`

/** Returns the ids of a connection's vehicles and drivers in an answer. */
const idsIn = (answer: Answer, { vehicles, drivers }: SeededConnection): string[] =>
  [...vehicles, ...drivers].map(({ id }) => id).filter((id) => JSON.stringify(answer).includes(id))

/** Checks that an answer contains no id and no token of a connection. */
function expectNothingOf(seeded: SeededConnection, answer: Answer): void {
  const text = JSON.stringify(answer)
  const { connection, agreements, syncs, vehicles, drivers, groups, devices, trips, safetyEvents, events } =
    seeded
  const { trailers, hosLogs, hosDailyLogs, faultCodeEvents, issues, purchaseChecks } = seeded
  const roster = [connection, ...vehicles, ...drivers, ...groups, ...devices, ...trailers]
  const records = [...trips, ...safetyEvents, ...hosLogs, ...hosDailyLogs, ...faultCodeEvents]
  const rows = [...roster, ...records, ...agreements, ...syncs, ...issues, ...events, ...purchaseChecks]
  for (const secret of [seeded.token, connection.tokenSealed, ...rows.map(({ id }) => id)])
    expect(text).not.toContain(secret)
}

function withoutIds(answer: Answer, ids: ForeignReferences['ids']): unknown {
  const text = Object.entries(ids).reduce(
    (rest, [kind, id]) => rest.replaceAll(id, kind),
    JSON.stringify(answer),
  )
  return JSON.parse(text.replaceAll(/"sourceId":"\w+"/g, '"sourceId":"…"'))
}
