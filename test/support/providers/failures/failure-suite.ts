import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type SyncedModel, syncedModels } from '../../../../src/domain/record-models.ts'
import type { Database } from '../../../../src/storage/database.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { temporaryDatabase } from '../../factories.ts'
import { LinkedFleet } from '../linked-fleet.ts'
import { completed } from '../expected-endings.ts'
import type { SyncedSubject } from '../subjects/subject.ts'
import { providerFailures } from './provider-failures.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const DAY_MS = 86_400_000
const [VEHICLES, DAYS] = [4, 2]

/** Checks each provider failure: the sync ends in the right state and stores all readable records. */
export function failureSuite(subject: SyncedSubject): void {
  describe.each(subject.databases)(
    `a sync with ${subject.provider} on %s ends in the expected state after`,
    (dialect) => {
      let db: Database & AsyncDisposable
      let fake: RunningFake
      let previousBehaviours: Readonly<Record<string, string>> = {}
      beforeAll(async () => {
        db = await temporaryDatabase(dialect)
        fake = await startFake(subject.provider, { vehicles: VEHICLES, days: DAYS, now: NOW })
      })
      afterEach(async () => {
        await fake.heal()
        await fake.behave(previousBehaviours)
      })
      afterAll(async () => {
        await fake[Symbol.asyncDispose]()
        await db[Symbol.asyncDispose]()
      })

      test.each(providerFailures(subject))(
        '$name',
        async ({ faults, behaviours = {}, later = false, ends, unread, next = completed }) => {
          const fleet = await LinkedFleet.link({ db, subject, fake, now: NOW })
          if (later) expect(await fleet.sync()).toEqual(completed)
          previousBehaviours = await setBehaviours(fake, behaviours)
          fleet.moveClock(1000)
          await fake.fail(...faults)
          expect(await fleet.sync()).toEqual(ends)
          if (unread) await expectAll(fleet, { subject, fake, now: NOW, unread })
          await fake.heal()
          fleet.moveClock(1000)
          if (ends.connection === 'connected') {
            if (ends !== completed) expect(await fleet.sync()).toEqual(next)
            await expectAll(fleet, { subject, fake, now: NOW })
          }
          await fleet.close()
        },
      )

      test('keeps no internal detail of a server error', async () => {
        for (const table of ['syncs', 'issues', 'events', 'connections'])
          expect(JSON.stringify(await db.rows(`SELECT * FROM \`${table}\``))).not.toContain(
            'BaseObjectResource',
          )
      })

      test.each(subject.fleets)('$name', async ({ options }) => {
        const { now = NOW } = options
        await using special = await startFake(subject.provider, {
          vehicles: VEHICLES,
          days: DAYS,
          now,
          ...options,
        })
        const fleet = await LinkedFleet.link({ db, subject, fake: special, now })
        expect(await fleet.sync()).toEqual(completed)
        await expectAll(fleet, { subject, fake: special, now })
        await fleet.close()
      })
    },
  )
}

/** Table of each model, and the column with its start time. */
const stored: Readonly<Record<SyncedModel, readonly [table: string, startColumn?: string]>> = {
  Group: ['groups'],
  Driver: ['drivers'],
  Vehicle: ['vehicles'],
  Trailer: ['trailers'],
  Device: ['devices'],
  Trip: ['trips', 'startedAt'],
  SafetyEvent: ['safety_events', 'startedAt'],
  FaultCodeEvent: ['fault_code_events', 'observedAt'],
  HOSLog: ['hos_logs', 'startedAt'],
  HOSDailyLog: ['hos_daily_logs', 'date'],
  VehicleUtilization: ['vehicle_days', 'date'],
  VehicleLocation: ['vehicle_locations', 'locatedAt'],
  VehicleStatLog: ['vehicle_stat_logs', 'timestamp'],
  IFTASummary: ['ifta_vehicle_months'],
}

interface Where {
  readonly subject: SyncedSubject
  readonly fake: RunningFake
  readonly now: string
  /** Models that may be missing. */
  readonly unread?: readonly string[]
}

/** Expects as many records of each model as the provider has in the sync window. */
async function expectAll(fleet: LinkedFleet, { subject, fake, now, unread = [] }: Where): Promise<void> {
  const from = Date.parse(now) - DAYS * DAY_MS
  const window = { from: new Date(from).toISOString(), to: new Date(fleet.now + 1).toISOString() }
  const { readers } = subject.adapter(fake.url, { now: () => fleet.now })
  const counts: Record<string, number> = {}
  const reported: Record<string, number> = {}
  for (const model of syncedModels.filter((one) => readers[one] && !unread.includes(one))) {
    const [table, column] = stored[model]
    // A day starts in the fleet's zone, which is behind UTC.
    const first = column === 'date' ? new Date(from + DAY_MS).toISOString().slice(0, 10) : from
    counts[model] = await fleet.count(table, column === undefined ? undefined : { column, from: first })
    const truth = await fake.truth<{ deletedAt?: number | null }[]>(model, window)
    reported[model] = truth.filter(({ deletedAt }) => deletedAt == null).length
  }
  expect(counts).toEqual(reported)
}

/** Sets behaviours of a fake. Returns their previous values. */
async function setBehaviours(
  fake: RunningFake,
  positions: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const response = await fetch(`${fake.url}/_fake/behaviours`)
  const known = (await response.json()) as Record<string, { position: string }>
  await fake.behave(positions)
  return Object.fromEntries(Object.keys(positions).map((name) => [name, known[name]?.position ?? '']))
}
