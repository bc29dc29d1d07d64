import { isLegUploaded } from '../../world/upload-delays.ts'
import { MINUTE_MS } from '../../world/durations.ts'
import { type EngineState, IDLE_AFTER_MS, IDLE_BEFORE_MS } from '../../world/engine.ts'
import { legAt, legNumberAt, type TimedLeg, type VehicleRoute } from '../../world/vehicle-route.ts'
import { idOf, timestamp } from '../ids.ts'
import type { Period, TimeOrdered } from '../time-ordered.ts'
import { vehicleModelOf } from '../vehicles.ts'
import { ENGINE_STATE, GAUGES, type Gauge, sampleAt } from './gauges.ts'

export interface StatRecord {
  vehicleId: string
  time: string
  type: string
  /** Null for an engine state. */
  value: number | null
  state: EngineState | null
}

/** One measurement during a run of the engine. */
type Measurement = { readonly timeMs: number } & ({ readonly state: EngineState } | { readonly gauge: Gauge })

/** Interval between readings of the gauges. */
const STEP_MS = 10 * MINUTE_MS
/**
 * Returns the time of a gauge within a step. Gauges have different times, and engine states are at whole seconds:
 * no two records of a vehicle share a time.
 */
const gaugeOffsetMs = (position: number) => 250 + 1000 * position

/**
 * Returns the measurements of a vehicle: each change of the engine state, and its gauges while the engine runs.
 */
export function* stats(
  route: VehicleRoute,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<StatRecord>> {
  const { fuelType } = vehicleModelOf(route.fleet, route.vehicle)
  const gauges = GAUGES.filter(({ burnsFuel }) => !burnsFuel || fuelType !== 'electric')
  for (let number = Math.max(0, legNumberAt(route, sinceMs - IDLE_AFTER_MS)); ; number++) {
    const leg = legAt(route, number)
    if (leg.startMs - IDLE_BEFORE_MS >= untilMs) return
    if (!isLegUploaded(route, leg, nowMs)) continue
    for (const measurement of measurementsOf(leg, gauges))
      if (measurement.timeMs >= sinceMs && measurement.timeMs < untilMs)
        yield { timeMs: measurement.timeMs, record: statRecord(route, leg, measurement) }
  }
}

/** Returns the measurements of a leg. The engine also idles shortly before and after the leg. */
function measurementsOf({ startMs, endMs }: TimedLeg, gauges: readonly Gauge[]): Measurement[] {
  const [onMs, offMs] = [startMs - IDLE_BEFORE_MS, endMs + IDLE_AFTER_MS]
  const measurements: Measurement[] = [
    { timeMs: onMs, state: 'idle' },
    { timeMs: startMs, state: 'on' },
    { timeMs: endMs, state: 'idle' },
    { timeMs: offMs, state: 'off' },
  ]
  for (let step = 0; onMs + step * STEP_MS < offMs; step++)
    for (const [position, gauge] of gauges.entries()) {
      const timeMs = onMs + step * STEP_MS + gaugeOffsetMs(position)
      if (step % gauge.everySteps === 0 && timeMs < offMs) measurements.push({ timeMs, gauge })
    }
  return measurements.sort((a, b) => a.timeMs - b.timeMs)
}

function statRecord(route: VehicleRoute, leg: TimedLeg, measurement: Measurement): StatRecord {
  const common = { vehicleId: idOf('veh', route.fleet, route.vehicle), time: timestamp(measurement.timeMs) }
  if ('state' in measurement) return { ...common, type: ENGINE_STATE, value: null, state: measurement.state }
  const runningMs = measurement.timeMs - (leg.startMs - IDLE_BEFORE_MS)
  const value = measurement.gauge.read(sampleAt(route, measurement.timeMs, runningMs))
  return { ...common, type: measurement.gauge.type, value, state: null }
}
