import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../../src/storage/database.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { dialects, temporaryDatabase } from '../../../support/factories.ts'
import { completed } from '../../../support/providers/expected-endings.ts'
import { geotab } from '../../../support/providers/subjects/geotab-subject.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { expected, ReadBack } from '../../../support/providers/read-back/read-back.ts'
import type { Values } from '../../../support/providers/read-back/read-back-names.ts'
import { NOW } from '../../../support/providers/geotab-harness.ts'

const HOUR_MS = 3_600_000
const [VEHICLES, DAYS] = [6, 4]
const FROM = Date.parse(NOW) - DAYS * 24 * HOUR_MS

/** Records that MyGeotab removes or ends some hours after it sent them, by model. */
describe.each(dialects)('records that Geotab removes are no longer served, on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let fake: RunningFake
  let fleet: LinkedFleet
  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    fake = await startFake('geotab', { vehicles: VEHICLES, days: DAYS, now: NOW, world: { restlessness: 0 } })
    await fake.behave({ tripDeletion: 'sent', dutyEdits: 'some', plannedEnds: 'some' })
    fleet = await LinkedFleet.link({ db, subject: geotab, fake, now: NOW }, { days: DAYS })
  })
  afterAll(async () => {
    await fleet.close()
    await fake[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const served = async (model: string): Promise<Record<string, Values>> => {
    const window = { from: new Date(FROM).toISOString(), to: new Date(fleet.now + 1).toISOString() }
    const truth = await fake.truth<Values[]>(model, window)
    const days = [...new Set(truth.map(({ date }) => String(date)))]
    const reported = await new ReadBack(db, fleet.connection).read(model, days)
    expect(reported).toEqual(expected(model, truth))
    return reported
  }

  test.each(['Trip', 'HOSLog', 'HOSDailyLog', 'VehicleUtilization', 'Vehicle', 'Driver'])(
    '%s',
    async (model) => {
      expect(await fleet.sync()).toEqual(completed)
      const before = await served(model)
      expect(Object.keys(before)).not.toEqual([])
      await fake.move({ advanceMilliseconds: 5 * HOUR_MS })
      fleet.moveClock(5 * HOUR_MS)
      expect(await fleet.sync()).toEqual(completed)
      const after = await served(model)
      const gone = Object.keys(before).filter((key) => !(key in after))
      if (model === 'Trip' || model === 'HOSLog') expect(gone).not.toEqual([])
      else expect(gone).toEqual([])
    },
  )
})
