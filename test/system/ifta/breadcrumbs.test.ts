import { expect, test } from 'vitest'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import type { NormalizedIftaMonth } from '../../../src/domain/models/ifta-summary.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import type { Rows } from '../../../src/storage/database.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'
import { startFake } from '../../fakes/kit/start-fake.ts'
import { roads } from '../../fakes/world/roads/roads.ts'
import { LinkedFleet } from '../../support/providers/linked-fleet.ts'
import { traccar } from '../../support/providers/subjects/traccar-subject.ts'
import { completed } from '../../support/providers/expected-endings.ts'

const NOW = '2026-06-09T06:00:00.000Z'
const DAYS = 9
/** One vehicle on each road. */
const VEHICLES = roads.length
const MINUTE_MS = 60_000

/** Tolerated relative error of a jurisdiction's distance. */
const TOLERATED = 0.005

interface Distance {
  readonly vehicle: string
  readonly jurisdiction: string
  readonly kilometers: number
}

/** Reduces an adapter to the data of mileage: locations and odometers. */
function crumbsOnly(adapter: ProviderAdapter): ProviderAdapter {
  const { Vehicle, VehicleLocation, VehicleStatLog } = adapter.readers
  if (!Vehicle || !VehicleLocation || !VehicleStatLog) throw new Error('Traccar has no location history')
  return {
    ...adapter,
    readers: {
      Vehicle,
      VehicleLocation,
      VehicleStatLog: {
        ...VehicleStatLog,
        async read(...requested) {
          const page = await VehicleStatLog.read(...requested)
          const isOdometer = (record: unknown) => (record as { type: string }).type === 'odometer'
          return { ...page, records: page.records.filter(isOdometer) }
        },
      },
    },
  }
}

/** A fleet on roads with known border crossings. The fake and the mileage computation share no code. */
test.each(dialects)(
  'location tracks across borders add up to the distance driven in each jurisdiction, on %s',
  { timeout: 900_000 },
  async (dialect) => {
    await using db = await temporaryDatabase(dialect)
    await using fake = await startFake('traccar', {
      vehicles: VEHICLES,
      days: DAYS + 2,
      now: NOW,
      seed: 5,
      world: { fixEveryMilliseconds: MINUTE_MS, lateShare: 0, restlessness: 0 },
    })
    const subject = {
      ...traccar,
      adapter: (_url: string, clock: { now(): number }) => crumbsOnly(traccarAdapter(undefined, { clock })),
    }
    const fleet = await LinkedFleet.link({ db, subject, fake, now: NOW }, { days: DAYS })
    expect(await fleet.sync()).toEqual(completed)
    const reported = await storedOf(db)
    const truth = await truthOf(fake)
    await fleet.close()

    const sums = sumsBy(({ jurisdiction }) => jurisdiction, truth)
    const ours = sumsBy(({ jurisdiction }) => jurisdiction, reported)
    print(
      [...sums].map(([jurisdiction, kilometers]) => ({
        jurisdiction,
        kilometers,
        ours: ours.get(jurisdiction) ?? 0,
      })),
    )
    const { lines, nations } = crossedIn(truth)
    process.stdout.write(`${lines} state and province borders crossed, ${nations} of them national\n`)
    expect(lines).toBeGreaterThanOrEqual(8)
    expect(nations).toBeGreaterThanOrEqual(1)
    expect([...ours.keys()].toSorted()).toEqual([...sums.keys()].toSorted())
    const off = [...sums].filter(
      ([jurisdiction, kilometers]) =>
        Math.abs((ours.get(jurisdiction) ?? 0) - kilometers) > TOLERATED * kilometers,
    )
    expect(off).toEqual([])
    // Compares each vehicle, so that errors of two vehicles cannot cancel out.
    const keyOf = ({ vehicle, jurisdiction }: Distance) => `${vehicle} ${jurisdiction}`
    const [each, oursOfEach] = [sumsBy(keyOf, truth), sumsBy(keyOf, reported)]
    const far = [...each].filter(
      ([key, kilometers]) =>
        Math.abs((oursOfEach.get(key) ?? 0) - kilometers) > Math.max(2, TOLERATED * kilometers),
    )
    expect(far).toEqual([])
  },
)

async function storedOf(db: Rows): Promise<Distance[]> {
  const rows = await db.rows<{ vehicle: string; jurisdiction: string; distance: number }>(
    `SELECT v.\`sourceId\` AS vehicle, m.\`jurisdiction\`, m.\`distance\` FROM \`ifta_vehicle_months\` AS m
      JOIN \`vehicles\` AS v ON v.\`id\` = m.\`vehicleId\` WHERE m.\`month\` = '2026-06' AND m.\`deletedAt\` IS NULL`,
  )
  return rows.map(({ vehicle, jurisdiction, distance }) => ({
    vehicle,
    jurisdiction,
    kilometers: Number(distance),
  }))
}

async function truthOf(fake: Awaited<ReturnType<typeof startFake>>): Promise<Distance[]> {
  const window = { from: '2026-06-02T00:00:00Z', to: NOW }
  const records = await fake.truth<NormalizedIftaMonth[]>('IFTASummary', window)
  return records
    .filter(({ distanceKilometers }) => distanceKilometers > 0)
    .map(({ vehicleSourceId: vehicle, jurisdiction, distanceKilometers: kilometers }) => ({
      vehicle,
      jurisdiction: jurisdiction ?? '',
      kilometers,
    }))
}

function sumsBy(keyOf: (distance: Distance) => string, distances: readonly Distance[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const distance of distances)
    sums.set(keyOf(distance), (sums.get(keyOf(distance)) ?? 0) + distance.kilometers)
  return new Map([...sums].toSorted(([one], [other]) => one.localeCompare(other)))
}

const CANADIAN = new Set(['BC', 'ON', 'NB', 'NS'])

/** Counts the borders of each vehicle's road whose both sides it visited. */
function crossedIn(truth: readonly Distance[]): { readonly lines: number; readonly nations: number } {
  const pairs = roads.flatMap(({ passages }) =>
    passages.slice(1).map((passage, at) => [passages[at]?.jurisdiction ?? '', passage.jurisdiction] as const),
  )
  const vehicles = [...new Set(truth.map(({ vehicle }) => vehicle))]
  const crossed = vehicles.flatMap((one) => {
    const mine = truth.filter(({ vehicle }) => vehicle === one)
    const been = new Set(mine.map(({ jurisdiction }) => jurisdiction))
    return pairs.filter((sides) => sides.every((side) => been.has(side)))
  })
  const nations = crossed.filter(([one, other]) => CANADIAN.has(one) !== CANADIAN.has(other))
  return { lines: crossed.length, nations: nations.length }
}

interface Line {
  readonly jurisdiction: string
  readonly kilometers: number
  readonly ours: number
}

function print(lines: readonly Line[]): void {
  const cells = lines.map(({ jurisdiction, kilometers, ours }) => [
    jurisdiction,
    kilometers.toFixed(3),
    ours.toFixed(3),
    `${((100 * (ours - kilometers)) / kilometers).toFixed(3)} %`,
  ])
  const rows = [['jurisdiction', 'truth (km)', 'ours (km)', 'error'], ...cells]
  process.stdout.write(rows.map((row) => `${row.map((cell) => cell.padStart(13)).join('')}\n`).join(''))
}
