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

/** A moment of a run of the engine, and what is recorded then. */
type Mark = { readonly timeMs: number } & ({ readonly state: EngineState } | { readonly gauge: Gauge })

const STEP_MS = 10 * MINUTE_MS
/** Gauges are read one after the other, and off the second, so that no two records have the same time. */
const gaugeOffsetMs = (position: number) => 250 + 1000 * position

/** What a vehicle's computer measured: the engine's state when it changes, the rest while the engine runs. */
export function* stats(
  track: VehicleRoute,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<StatRecord>> {
  const { fuelType } = vehicleModelOf(track.fleet, track.vehicle)
  const gauges = GAUGES.filter(({ burnsFuel }) => !burnsFuel || fuelType !== 'electric')
  for (let number = Math.max(0, legNumberAt(track, sinceMs - IDLE_AFTER_MS)); ; number++) {
    const leg = legAt(track, number)
    if (leg.startMs - IDLE_BEFORE_MS >= untilMs) return
    if (!isLegUploaded(track, leg, nowMs)) continue
    for (const mark of marksOf(leg, gauges))
      if (mark.timeMs >= sinceMs && mark.timeMs < untilMs)
        yield { timeMs: mark.timeMs, record: statRecord(track, leg, mark) }
  }
}

/** The engine runs a while before a leg, and a while after it. */
function marksOf({ startMs, endMs }: TimedLeg, gauges: readonly Gauge[]): Mark[] {
  const [onMs, offMs] = [startMs - IDLE_BEFORE_MS, endMs + IDLE_AFTER_MS]
  const marks: Mark[] = [
    { timeMs: onMs, state: 'idle' },
    { timeMs: startMs, state: 'on' },
    { timeMs: endMs, state: 'idle' },
    { timeMs: offMs, state: 'off' },
  ]
  for (let step = 0; onMs + step * STEP_MS < offMs; step++)
    for (const [position, gauge] of gauges.entries()) {
      const timeMs = onMs + step * STEP_MS + gaugeOffsetMs(position)
      if (step % gauge.everySteps === 0 && timeMs < offMs) marks.push({ timeMs, gauge })
    }
  return marks.sort((a, b) => a.timeMs - b.timeMs)
}

function statRecord(track: VehicleRoute, leg: TimedLeg, mark: Mark): StatRecord {
  const told = { vehicleId: idOf('veh', track.fleet, track.vehicle), time: timestamp(mark.timeMs) }
  if ('state' in mark) return { ...told, type: ENGINE_STATE, value: null, state: mark.state }
  const runningMs = mark.timeMs - (leg.startMs - IDLE_BEFORE_MS)
  const value = mark.gauge.read(sampleAt(track, mark.timeMs, runningMs))
  return { ...told, type: mark.gauge.type, value, state: null }
}
