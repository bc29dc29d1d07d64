import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import type { RowModel } from '../../../src/domain/record-models.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { completedEvent, connectionEvent, issueEvent } from '../../../src/subgraphs/connections/events.ts'
import { beginLinkRun } from '../../../src/subgraphs/connections/linking/begin-link-run.ts'
import { findRunByToken } from '../../../src/subgraphs/connections/linking/link-run-repository.ts'
import { requestProvider } from '../../../src/subgraphs/connections/linking/request-provider.ts'
import { eventTypeNames } from '../../../src/subgraphs/events/event-types.ts'
import { markDisabled } from '../../../src/subgraphs/events/webhooks/endpoints/disable-endpoint.ts'
import { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { purchaseEvents } from '../../../src/subgraphs/purchases/events.ts'
import type { ProviderRecord } from '../../../src/subgraphs/tables/provider-record.ts'
import { emitSyncEvents } from '../../../src/sync/emit-sync-events.ts'
import { emitLocationEvents } from '../../../src/sync/ingest/latest/emit-location-events.ts'
import { emitChangeEvents } from '../../../src/sync/pipeline/events/emit-change-events.ts'
import { type ChangeKind, type StoredModel, storedModels } from '../../../src/sync/pipeline/stored-models.ts'
import { newId } from '../../../src/domain/ids.ts'
import { dialects } from '../../support/factories.ts'
import {
  type EventLogHarness,
  type EventPage,
  sequenceAll,
  startEventLogHarness,
} from '../../support/harnesses/event-log-harness.ts'
import { compileClosed } from '../../support/rest/openapi-validation.ts'
import { endpointRow } from '../../support/webhooks/delivery-harness.ts'

describe.each(dialects)('the events on %s', (dialect) => {
  let harness: EventLogHarness
  let events: EventPage[]

  beforeAll(async () => {
    harness = await startEventLogHarness(dialect)
    await appendConnectionEvents(harness)
    await appendSyncAndIssueEvents(harness)
    await appendRecordEvents(harness)
    await appendPurchaseEvents(harness)
    await appendApplicationEvents(harness)
    const stored = await harness.read(`&types=${Object.keys(eventTypes).join(',')}`)
    const aliases = eventTypeNames.filter((name) => !(name in eventTypes))
    events = [...stored, ...(await harness.read(`&types=${aliases.join(',')}`))]
  })

  afterAll(() => harness[Symbol.asyncDispose]())

  const served = (path: string) => harness.rest.app.inject({ url: `/schemas/events${path}` })

  test.each(eventTypeNames)('of the type %s match its JSON Schema, without other members', async (type) => {
    const validate = compileClosed((await served(`/${type}`)).json())
    const ofType = events.filter((event) => event.type === type)
    expect(ofType).not.toEqual([])
    for (const event of ofType) {
      validate(event)
      expect([event.detail, validate.errors]).toEqual([event.detail, null])
    }
  })

  test('match the JSON Schema of all events, and no other type does', async () => {
    const validate = compileClosed((await served('')).json())
    expect(events.filter((event) => !validate(event))).toEqual([])
    const [event] = events
    expect(validate({ ...event, type: 'trip.planned' })).toBe(false)
    expect(validate({ ...event, detail: {} })).toBe(false)
  })
})

const NAME = 'Sandbox'

async function appendPurchaseEvents({ seeded, announce }: EventLogHarness): Promise<void> {
  const types = ['purchase.checked', 'purchase.declined', 'purchase.flagged', 'purchase.reconciled']
  for (const [at, { connection, purchaseChecks }] of seeded.connections.entries())
    for (const check of purchaseChecks)
      await announce(at, ...purchaseEvents(types, check, { ...connection, providerName: NAME }))
}

const CONNECTION_TYPES = Object.keys(eventTypes).filter((type) => type.startsWith('connection.'))

async function appendConnectionEvents({ seeded, announce }: EventLogHarness): Promise<void> {
  for (const [at, { connection }] of seeded.connections.entries()) {
    const plain = CONNECTION_TYPES.filter(
      (type) => !['connection.completed', 'connection.first_sync_completed'].includes(type),
    )
    await announce(
      at,
      ...plain.map((type) => connectionEvent(type, connection, NAME)),
      completedEvent(connection, {}, NAME),
      completedEvent(connection, { externalId: 'ours-1', tags: ['west'] }, NAME),
    )
  }
}

async function appendSyncAndIssueEvents({ seeded, announce, record }: EventLogHarness): Promise<void> {
  const [{ connection, syncs, issues } = fail()] = seeded.connections
  for (const sync of syncs)
    for (const type of ['requested', 'started', 'completed', 'failed'])
      await record((tx) => emitSyncEvents(tx, sync, `sync.${type}`, NAME, Date.now()))
  for (const type of ['issue.reported', 'issue.resolved'])
    await announce(0, ...issues.map((issue) => issueEvent(type, issue, connection, NAME)))
}

async function appendRecordEvents({ seeded, record }: EventLogHarness): Promise<void> {
  const [fleet = fail()] = seeded.connections
  const { connection, latestLocations } = fleet
  const rows: Partial<Record<RowModel, readonly object[]>> = {
    Vehicle: fleet.vehicles,
    Driver: fleet.drivers,
    Trip: fleet.trips,
    SafetyEvent: fleet.safetyEvents,
    FaultCodeEvent: fleet.faultCodeEvents,
    HOSLog: fleet.hosLogs,
    HOSDailyLog: fleet.hosDailyLogs,
  }
  for (const [name, model] of Object.entries(storedModels))
    for (const kind of Object.keys(model.events?.types ?? {}))
      await record((tx) =>
        emitChangeEvents(
          tx,
          model as unknown as StoredModel<unknown>,
          { connection, syncId: newId('sync'), stamp: Date.now() },
          NAME,
          (rows[name as RowModel] as readonly ProviderRecord[]).map((row) => ({
            kind: kind as ChangeKind,
            row,
          })),
        ),
      )
  const withLocationEvents = { ...connection, options: { locationEvents: true } }
  await record((tx) => emitLocationEvents(tx, withLocationEvents, NAME, latestLocations, Date.now()))
}

/** Appends the events that have no connection. */
async function appendApplicationEvents({ rest: { db }, seeded, record }: EventLogHarness): Promise<void> {
  const endpoint = endpointRow(seeded.id, 'https://receiver.example.com/')
  await db.transaction((tx) => tx.insert(tableOf(WebhookEndpoint), [endpoint]))
  await record((tx) => markDisabled(tx, endpoint, 'failing', Date.now()))
  const deps = {
    db,
    registry: { all: [], find: () => null },
    clock: { now: () => Date.now() },
    notifier: createInProcessNotifier(),
    limits: { signInsPerRun: 10, perAddress: 1000, perKey: 1000 },
  }
  const remoteAddress = '198.51.100.7'
  for (const [settings, dotNumber] of [
    [{}, ''],
    [{ tags: ['north'], externalId: 'cust-9' }, '1234567'],
  ] as const) {
    const token = await beginLinkRun(deps, {
      applicationId: seeded.id,
      settings: { provider: 'azuga', door: 'key_of_the_tests', ...settings },
      remoteAddress,
    })
    const run = (await findRunByToken(db, token)) ?? fail()
    const typed = { provider: 'ignored', contactEmail: 'dispatch@acme-freight.example', dotNumber }
    expect(await requestProvider(deps, run, typed, remoteAddress)).toEqual([])
  }
  await sequenceAll(db)
}

function fail(): never {
  throw new Error('the fleet lacks a row')
}
