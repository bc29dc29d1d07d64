import { expect, test } from 'vitest'
import { temporaryDatabase } from '../../../support/factories.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { issue, readWithout, completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { samsara } from '../../../support/providers/subjects/samsara-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const OLDER_TRIPS = 'GET /v1/fleet/trips'

/** Whether the provider sends empty lists. */
const emptyListModes = ['sent', 'omitted']

test.each(emptyListModes)(
  'reads drivers and distances of trips once the permission is granted, empty lists %s',
  async (emptyLists) => {
    await using db = await temporaryDatabase('sqlite')
    await using fake = await startFake('samsara', { vehicles: 4, days: 4, now: NOW })
    await fake.behave({ emptyLists })
    const fleet = await LinkedFleet.link({ db, subject: samsara, fake, now: NOW }, { days: 3 })
    const permissionIssue = issue(readWithout('Trip', 'driver and distance', 'Samsara'))
    const trips = async () => {
      const rows = await db.rows<{ all: number; driven: number; measured: number }>(
        'SELECT COUNT(*) AS `all`, COUNT(`driverId`) AS `driven`, COUNT(`distance`) AS `measured` FROM `trips`',
      )
      return rows[0]
    }

    await fake.fail({ kind: 'status', status: 403, endpoint: OLDER_TRIPS, times: null })
    expect(await fleet.sync()).toEqual(permissionIssue)
    const { all } = (await trips()) ?? { all: 0 }
    expect(all).toBeGreaterThan(10)
    expect(await trips()).toEqual({ all, driven: 0, measured: 0 })

    // Without the permission, a sync requests the endpoint only once, to test it. The issue stays open.
    fleet.moveClock(60_000)
    await fake.forgetCalls()
    expect(await fleet.sync()).toEqual(permissionIssue)
    expect((await fake.calls()).byEndpoint[OLDER_TRIPS]).toBe(1)

    await fake.heal()
    fleet.moveClock(60_000)
    expect(await fleet.sync()).toEqual(completed)
    expect(await trips()).toMatchObject({ all, measured: all })
    expect((await trips())?.driven).toBeGreaterThan(all / 2)
    await fleet.close()
  },
)
