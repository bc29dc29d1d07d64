import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Session } from '../../../src/subgraphs/connections/sessions/session.ts'
import { WebhookAttempt } from '../../../src/subgraphs/events/webhooks/webhook-attempt.ts'
import {
  type DeliveryStatus,
  WebhookDelivery,
} from '../../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { WebhookProgress } from '../../../src/subgraphs/events/webhooks/webhook-progress.ts'
import { removeExpiredRows } from '../../../src/sync/retention/remove-expired-rows.ts'
import { seedRequests } from '../../support/rows/request-rows.ts'
import {
  asRow,
  DAY,
  dialects,
  eventRow,
  idAt,
  type Owner,
  temporaryDatabase,
} from '../../support/factories.ts'

const NOW = Date.now()
const KEPT_DAYS = 10

describe.each(dialects)('the event log on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let owner: Owner

  beforeEach(async () => {
    db = await temporaryDatabase(dialect)
    owner = { applicationId: newId('application'), connectionId: newId('connection') }
  })

  afterEach(() => db[Symbol.asyncDispose]())

  const timeOf = (days: number) => NOW - Math.round(days * DAY)
  let lastPosition = 0

  /** Inserts events of some days ago, with ascending positions. */
  const seed = (daysAgo: readonly number[], values: Partial<EventRow> = {}, of = owner) =>
    db.transaction((tx) =>
      tx.insert(
        tableOf(EventRow),
        daysAgo.map((days) =>
          eventRow(of, {
            id: idAt('event', timeOf(days)),
            occurredAt: timeOf(days),
            position: ++lastPosition,
            ...values,
          }),
        ),
      ),
    )

  const remainingDays = async (of = owner) => {
    const rows = await db.rows<{ at: number }>(
      'SELECT `occurredAt` AS `at` FROM `events` WHERE `applicationId` = ? ORDER BY `occurredAt`',
      [of.applicationId],
    )
    return rows.map(({ at }) => Math.round(((NOW - Number(at)) / DAY) * 100) / 100)
  }

  const remove = (requestLogDays = KEPT_DAYS) =>
    removeExpiredRows(
      {
        db,
        clock: { now: () => NOW },
        eventRetentionDays: KEPT_DAYS,
        requestLogDays,
        purchaseRetentionDays: KEPT_DAYS,
      },
      new AbortController().signal,
    )

  /** Inserts an endpoint that has received the log up to a position. */
  async function seedEndpoint(
    position: number,
    values: Partial<WebhookEndpoint> = {},
  ): Promise<WebhookEndpoint> {
    const row = asRow<WebhookEndpoint>({
      id: newId('webhookEndpoint'),
      applicationId: owner.applicationId,
      url: 'https://receiver.example.com',
      types: ['*'],
      ordering: 'none',
      concurrency: 1,
      createdAt: NOW,
      modifiedAt: NOW,
      ...values,
    })
    const progress = asRow<WebhookProgress>({
      endpointId: row.id,
      applicationId: row.applicationId,
      position,
      failures: 0,
    })
    await db.transaction(async (tx) => {
      await tx.insert(tableOf(WebhookEndpoint), [row])
      await tx.insert(tableOf(WebhookProgress), [progress])
    })
    return row
  }

  const delivery = (endpointId: string, at: number, status: DeliveryStatus, position: number | null) =>
    asRow<WebhookDelivery>({
      replays: 0,
      id: idAt('webhookDelivery', at),
      applicationId: owner.applicationId,
      endpointId,
      eventId: newId('event'),
      position,
      type: 'vehicle.added',
      status,
      attempts: 1,
      createdAt: at,
    })

  test('loses events older than the retention, of every application, in batches', async () => {
    const other = { applicationId: newId('application'), connectionId: newId('connection') }
    await seed([400, 30, 11, 9, 0])
    await seed(
      Array.from({ length: 1234 }, (_, at) => 12 + at / 1000),
      {},
      other,
    )
    await seed([9.5], {}, other)
    const deletions: string[] = []
    db.onStatement((sql) => void (sql.startsWith('DELETE FROM `events`') && deletions.push(sql)))
    await remove()
    expect([await remainingDays(), await remainingDays(other)]).toEqual([[9, 0], [9.5]])
    expect(deletions).toHaveLength(3)
  })

  test('keeps events without a position', async () => {
    await seed([11], { position: null })
    await remove()
    expect(await remainingDays()).toEqual([11])
  })

  test('keeps events that an endpoint has not received, for at most twice the retention', async () => {
    lastPosition = 0
    await seed([25, 15, 14, 13, 12, 5])
    await seedEndpoint(3)
    await seedEndpoint(5)
    await remove()
    expect(await remainingDays()).toEqual([13, 12, 5])
    await seed([21])
    await remove()
    expect(await remainingDays()).toEqual([13, 12, 5])
  })

  test('keeps no events for a disabled endpoint or one of another application', async () => {
    lastPosition = 0
    await seed([15, 14, 5])
    await seedEndpoint(0, { disabledAt: NOW })
    await seedEndpoint(0, { applicationId: newId('application') })
    await remove()
    expect(await remainingDays()).toEqual([5])
  })

  test('keeps events with pending deliveries', async () => {
    lastPosition = 0
    await seed([15, 14, 13, 5])
    const { id } = await seedEndpoint(4)
    const pending = [delivery(id, timeOf(15), 'pending', 2), delivery(id, timeOf(15), 'pending', null)]
    await db.transaction((tx) => tx.insert(tableOf(WebhookDelivery), pending))
    await remove()
    expect(await remainingDays()).toEqual([14, 13, 5])
  })

  test('keeps location events for a day, also for endpoints that have not received them', async () => {
    await seedEndpoint(0)
    await seed([1.2, 1.1, 1.05, 0.9, 0.1], { type: 'vehicle.location_updated' })
    await seed([1.15])
    await remove()
    expect(await remainingDays()).toEqual([1.15, 0.9, 0.1])
  })

  test('loses the requests that are older than the retention of the request log', async () => {
    for (const day of [20, KEPT_DAYS + 0.1, KEPT_DAYS - 0.1, 1])
      await seedRequests(db, owner.applicationId, 600, { at: timeOf(day), requestId: `${day}` }, timeOf(day))
    const countByDay = async () => {
      const counted = await db.rows<{ day: string; n: number }>(
        'SELECT `requestId` AS `day`, COUNT(*) AS `n` FROM `request_log` GROUP BY `requestId`',
      )
      return Object.fromEntries(counted.map(({ day, n }) => [day, Number(n)]))
    }
    await remove()
    expect(await countByDay()).toEqual({ '9.9': 600, '1': 600 })
    await remove(0)
    expect(await countByDay()).toEqual({})
  })

  test('also loses old ended deliveries, attempts and sessions', async () => {
    const { id } = await seedEndpoint(0)
    const days = [20, 11, 9]
    const statuses = ['delivered', 'failed', 'cancelled', 'pending'] as const
    const attempt = (at: number) =>
      asRow<WebhookAttempt>({
        id: idAt('webhookAttempt', at),
        applicationId: owner.applicationId,
        endpointId: id,
        deliveryId: newId('webhookDelivery'),
        number: 1,
        url: 'https://receiver.example.com',
        attemptedAt: at,
        durationMs: 5,
        outcome: 'answered',
        requestHeaders: {},
      })
    const session = (expiresAt: number) =>
      asRow<Session>({
        id: newId('session'),
        applicationId: owner.applicationId,
        scopes: [],
        createdAt: 0,
        expiresAt,
      })
    await db.transaction(async (tx) => {
      const deliveries = days.flatMap((day) =>
        statuses.map((status) => delivery(id, timeOf(day), status, null)),
      )
      await tx.insert(tableOf(WebhookDelivery), deliveries)
      await tx.insert(
        tableOf(WebhookAttempt),
        days.map((day) => attempt(timeOf(day))),
      )
      await tx.insert(
        tableOf(Session),
        [20, 1.1, 0.9, -1].map((day) => session(timeOf(day))),
      )
    })
    await remove()
    const count = async (from: string) =>
      Number((await db.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`))[0]?.n)
    expect(await count("webhook_deliveries WHERE status <> 'pending'")).toBe(3)
    expect(await count("webhook_deliveries WHERE status = 'pending'")).toBe(3)
    expect([await count('webhook_attempts'), await count('sessions')]).toEqual([1, 2])
  })
})
