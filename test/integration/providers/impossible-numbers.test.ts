import { describe, expect, test } from 'vitest'
import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import type { Reader } from '../../../src/providers/provider.ts'
import { normalizeRecord } from '../../../src/sync/ingest/normalize-record.ts'
import { startFake } from '../../fakes/kit/start-fake.ts'
import { temporaryDatabase } from '../../support/factories.ts'
import {
  changedAt,
  IDENTIFIES,
  rawRecordsBySchema,
  returns,
  scalarsIn,
  valueAt,
  withoutIndex,
} from '../../support/providers/changed-values.ts'
import { LinkedFleet } from '../../support/providers/linked-fleet.ts'
import { subjects } from '../../support/providers/subjects/subjects.ts'

const NOW = '2026-06-15T18:00:00.000Z'
/** Records in which a number is changed, for each of its paths and types of record. */
const RECORDS_PER_PATH = 20

/** Numbers without which a record has no meaning: its position, its measurement, or the IFTA distance that it sums. */
const required: Readonly<Record<string, readonly string[]>> = {
  traccar: [
    'LatestVehicleLocation latitude',
    'LatestVehicleLocation longitude',
    'VehicleLocation latitude',
    'VehicleLocation longitude',
    'VehicleStatLog position.attributes.fuelLevel',
    'VehicleStatLog position.attributes.hours',
    'VehicleStatLog position.latitude',
    'VehicleStatLog position.longitude',
  ],
  samsara: [
    'IFTASummary jurisdiction.totalMeters',
    'VehicleLocation gps.latitude',
    'VehicleLocation gps.longitude',
    'VehicleStatLog reading.value',
  ],
  geotab: ['VehicleLocation latitude', 'VehicleLocation longitude', 'VehicleStatLog data'],
  motive: [
    'VehicleLocation location.lat',
    'VehicleLocation location.lon',
    'VehicleStatLog location.fuel_primary_remaining_percentage',
    'VehicleStatLog location.lat',
    'VehicleStatLog location.lon',
    'VehicleStatLog location.true_engine_hours',
    'VehicleStatLog location.true_odometer',
  ],
}

describe.each(subjects)('an impossible number from $name', (subject) => {
  test('is null alone: the rest of its record is stored', async () => {
    await using db = await temporaryDatabase('sqlite')
    await using fake = await startFake(subject.provider, { vehicles: 8, days: 3, now: NOW })
    const fleet = await LinkedFleet.link({ db, subject, fake, now: NOW })
    await fleet.sync()
    const adapter = subject.adapter(fake.url, { now: () => Date.parse(NOW) })
    const sent = await rawRecordsBySchema(db)
    const lost: string[] = []
    const records = new Map<string, number>()
    let tried = 0
    for (const [model, reader] of Object.entries({ ...adapter.readers, ...adapter.latest }) as [
      RawRetainedModel,
      Reader<object>,
    ][]) {
      const map = (raw: unknown) => normalizeRecord({ model, reader, asOf: Date.parse(NOW) }, raw)
      for (const raw of sent.get(reader.schema) ?? [])
        for (const path of scalarsIn(raw).filter(
          (one) => typeof valueAt(raw, one) === 'number' && !IDENTIFIES.test(withoutIndex(one)),
        )) {
          const name = `${model} ${withoutIndex(path)}`
          const place = `${name} ${(raw as { type?: string }).type}`
          const used = records.get(place) ?? 0
          if (used >= RECORDS_PER_PATH || !returns(() => map(raw))) continue
          records.set(place, used + 1)
          for (const value of [-411_000, 1e300, 'many', {}]) {
            tried += 1
            try {
              map(changedAt(raw, path, value))
            } catch {
              lost.push(name)
            }
          }
        }
    }
    await fleet.close()
    expect(tried).toBeGreaterThan(100)
    expect([...new Set(lost)].toSorted()).toEqual(required[subject.provider])
  })
})
