import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { completed } from '../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../support/providers/linked-fleet.ts'
import { motive } from '../../support/providers/subjects/motive-subject.ts'
import { samsara } from '../../support/providers/subjects/samsara-subject.ts'
import type { SyncedSubject } from '../../support/providers/subjects/subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const MONTH = '2026-06'
const LATER_MS = 60_000
const VEHICLES = 60

interface Row {
  readonly vehicle: string
  readonly jurisdiction: string
}

interface Provider {
  readonly subject: SyncedSubject
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Request of its first page of the month. */
  readonly query: string
  /** Behaviours that make pages small, if they are not. */
  readonly behaviours: Readonly<Record<string, string>>
  /** Returns the page without some of its rows. */
  without(page: unknown, isGone: (row: Row) => boolean): object
}

interface SamsaraPage {
  readonly data: {
    readonly vehicleReports: readonly {
      readonly vehicle: { readonly id: string }
      readonly jurisdictions: readonly { readonly jurisdiction: string }[]
    }[]
  }
}

interface MotivePage {
  readonly ifta_trips: readonly {
    readonly ifta_trip: { readonly vehicle: { readonly id: number }; readonly jurisdiction: string }
  }[]
}

const providers: readonly Provider[] = [
  {
    subject: samsara,
    path: '/fleet/reports/ifta/vehicle',
    headers: { authorization: 'Bearer fake-token-1' },
    query: 'year=2026&month=June',
    behaviours: { pageSize: '5' },
    without(page, isGone) {
      const { data, ...rest } = page as SamsaraPage
      const vehicleReports = data.vehicleReports.map((report) => ({
        ...report,
        jurisdictions: report.jurisdictions.filter(
          ({ jurisdiction }) => !isGone({ vehicle: report.vehicle.id, jurisdiction }),
        ),
      }))
      const reported = vehicleReports.filter(({ jurisdictions }) => jurisdictions.length > 0)
      return { ...rest, data: { ...data, vehicleReports: reported } }
    },
  },
  {
    subject: motive,
    path: '/v1/ifta/summary',
    headers: { 'x-api-key': 'fake-key-1' },
    query: 'start_date=2026-06-01&end_date=2026-07-01&per_page=100&page_no=1',
    behaviours: {},
    without(page, isGone) {
      const { ifta_trips: rows, ...rest } = page as MotivePage
      const reported = rows.filter(
        ({ ifta_trip: { vehicle, jurisdiction } }) => !isGone({ vehicle: String(vehicle.id), jurisdiction }),
      )
      // Motive counts pages by rows, so other rows appear twice instead.
      return { ...rest, ifta_trips: [...reported.slice(0, rows.length - reported.length), ...reported] }
    },
  },
]

for (const { subject, path, headers, query, behaviours, without } of providers)
  describe.each(dialects)(`a month that ${subject.name} corrects, on %s`, (dialect) => {
    let db: Database & AsyncDisposable
    let fake: RunningFake
    let fleet: LinkedFleet
    let page: unknown
    let before: string[]
    beforeAll(async () => {
      db = await temporaryDatabase(dialect)
      const world = { restlessness: 0 }
      fake = await startFake(subject.provider, { vehicles: VEHICLES, days: 14, now: NOW, world })
      await fake.behave(behaviours)
      if (subject === samsara)
        await fetch(`${fake.url}/_fake/budgets`, { method: 'POST', body: '{"*":10000}' })
      fleet = await LinkedFleet.link({ db, subject, fake, now: NOW })
      await fleet.sync()
      fleet.moveClock(LATER_MS)
      page = await (await fetch(`${fake.url}${path}?${query}`, { headers })).json()
      before = await stored()
    })
    afterAll(async () => {
      await fleet.close()
      await fake[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
    })

    const stored = () => fleet.stored('ifta_vehicle_months')

    const keyOf = ({ vehicle, jurisdiction }: Row) => `${vehicle}:${MONTH}:${jurisdiction}`

    /** Returns the rows of each vehicle of the first page. */
    function reported(): Row[][] {
      const rows = new Map<string, Row[]>()
      without(page, (row) => {
        rows.set(row.vehicle, [...(rows.get(row.vehicle) ?? []), row])
        return false
      })
      return [...rows.values()]
    }

    /**
     * Syncs once without these rows of the month's first page, and with a worker that fails at the second
     * page.
     */
    async function syncWithout(gone: readonly Row[]): Promise<void> {
      const keys = new Set(gone.map(keyOf))
      const body = without(page, (row) => keys.has(keyOf(row)))
      const endpoint = `GET ${path}`
      await fake.fail({ kind: 'status', status: 200, endpoint, body }, { kind: 'truncated', endpoint })
      await fake.forgetCalls()
      expect(await fleet.sync()).toEqual(completed)
      fleet.moveClock(LATER_MS)
      const { byEndpoint } = await fake.calls()

      expect(byEndpoint[endpoint]).toBeGreaterThan(2)
    }

    test('loses a jurisdiction that the provider no longer reports', async () => {
      const mixed = reported().find((rows) => rows.length > 1)
      if (!mixed) throw new Error('every vehicle stayed in one jurisdiction')
      await syncWithout(mixed.slice(0, 1))
      expect(await stored()).toEqual(before.filter((key) => key !== keyOf(mixed[0] as Row)))
      expect(await fleet.sync()).toEqual(completed)
      fleet.moveClock(LATER_MS)
      expect(await stored()).toEqual(before)
    })

    test('keeps the distances of a vehicle that is missing in the report', async () => {
      const [gone] = reported()
      if (!gone) throw new Error('no vehicle drove')
      await syncWithout(gone)
      expect(await stored()).toEqual(before)
    })
  })
