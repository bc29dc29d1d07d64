import { expect, test } from 'vitest'
import { startFake } from '../../fakes/kit/start-fake.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const LATER = '2026-06-25T18:00:00.000Z'
/** A week of which all records have arrived. */
const WEEK = { from: '2026-06-01T12:00:00.000Z', to: '2026-06-08T12:00:00.000Z' }

type Log = Readonly<Record<string, unknown>>

test.each(['samsara', 'motive'])(
  'a daily log of a driver at %s does not change when the vehicle is removed',
  async (provider) => {
    await using fake = await startFake(provider, {
      vehicles: 40,
      days: 16,
      now: NOW,
      world: { restlessness: 20, lateShare: 0 },
    })
    const logs = async () => {
      const dailyLogs = await fake.truth<Log[]>('HOSDailyLog', WEEK)
      return new Map(dailyLogs.map((log) => [log['sourceId'], log]))
    }
    const vehicles = async () => (await fake.truth<Log[]>('Vehicle')).map(({ sourceId }) => sourceId)
    const [before, vehiclesBefore] = [await logs(), await vehicles()]
    await fake.move({ now: LATER })
    const [after, vehiclesAfter] = [await logs(), await vehicles()]
    expect(vehiclesBefore.filter((vehicle) => !vehiclesAfter.includes(vehicle)).length).toBeGreaterThan(2)
    const known = [...before].filter(([id]) => after.has(id))
    expect(known.length).toBeGreaterThan(40)
    for (const [id, log] of known) expect(after.get(id)).toEqual(log)
  },
)
