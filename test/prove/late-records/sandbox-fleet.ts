import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { between, drawsOf } from '../../fakes/world/draws.ts'
import { adapters } from '../../support/providers/adapters.ts'
import { expected } from '../../support/providers/read-back/read-back.ts'
import type { Values } from '../../support/providers/read-back/read-back-names.ts'
import { LATE_HOURS, LATE_SHARE, type LateFleetSize, type LateProvider } from './late-fleet.ts'
import { beginOf } from './record-times.ts'

const HOUR_MS = 3_600_000

/** Models whose records arrive one by one. The simulator computes the others from all of its data. */
const lateModels = ['Trip', 'SafetyEvent', 'FaultCodeEvent', 'HOSLog', 'VehicleLocation', 'VehicleStatLog']

/** The simulator has more positions of a vehicle than the fakes. */
const DENSITY = 3

/** Record that the simulator has made, which may arrive later. */
interface MadeRecord {
  readonly values: Values
  readonly arrivesAt: number
}

/** Starts the simulator. It has no late records, so its adapter holds some records back until they arrive. */
export async function startSandbox(size: LateFleetSize): Promise<LateProvider> {
  const { seed, now } = size
  const vehicles = Math.ceil(size.vehicles / DENSITY)
  const simulator = await startSimulator({ controls: true, ratePerSecond: 10_000 })
  const apiKey = `sandbox-${vehicles}-${seed}`
  const clock = { at: now }
  const made = new Map(lateModels.map((model) => [model, new Map<string, MadeRecord>()]))
  const url = `http://127.0.0.1:${simulator.port}`
  const move = async (to: number) => {
    clock.at = to
    const body = JSON.stringify({ key: apiKey, offsetMs: to - Date.now() })
    await fetch(`${url}/control/clock`, { method: 'POST', body })
  }
  await move(now)
  return {
    url,
    punctual: ['HOSDailyLog', 'VehicleUtilization'],
    subject: {
      adapter: (...given) => holdingBack(adapters.sandbox(...given), { made, seed, clock }),
      credentials: () => ({ apiKey }),
    },
    move,
    truth: async (model, since) =>
      [...(made.get(model) ?? new Map<string, MadeRecord>()).values()]
        .filter(({ values, arrivesAt }) => arrivesAt <= clock.at && beginOf(values) >= since)
        .map(({ values }) => values),
    [Symbol.asyncDispose]: () => simulator.close(),
  }
}

interface Delays {
  readonly made: ReadonlyMap<string, Map<string, MadeRecord>>
  readonly seed: number
  readonly clock: { readonly at: number }
}

const holdingBack = (adapter: ProviderAdapter, delays: Delays): ProviderAdapter => ({
  ...adapter,
  readers: Object.fromEntries(
    Object.entries(adapter.readers as Record<string, Reader<object>>).map(([model, reader]) => {
      const records = delays.made.get(model)
      return [model, records ? lateReader(model, reader, records, delays) : reader]
    }),
  ),
})

function lateReader(
  model: string,
  reader: Reader<object>,
  records: Map<string, MadeRecord>,
  { seed, clock }: Delays,
): Reader<object> {
  return {
    ...reader,
    async read(...requested) {
      const page = await reader.read(...requested)
      return {
        ...page,
        records: page.records.filter((record) => {
          const values = reader.normalize(record, clock.at) as Values
          const [key = ''] = Object.keys(expected(model, [values]))
          const arrivesAt = beginOf(values) + delayOf(key, seed)
          records.set(key, { values, arrivesAt })
          return arrivesAt <= clock.at
        }),
      }
    },
  }
}

function delayOf(key: string, seed: number): number {
  const draw = drawsOf(seed, ...Buffer.from(key))
  return draw() < LATE_SHARE ? Math.floor(between(draw, ...LATE_HOURS) * HOUR_MS) : 0
}
