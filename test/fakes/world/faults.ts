import { DAY, HOUR } from './calendar.ts'
import { drawPurpose, between, drawsOf, oneOf } from './draws.ts'
import type { Seeded } from './options.ts'
import type { Run } from './trip-runs.ts'
import type { Fault, Ms } from './truth.ts'

interface FaultKind {
  readonly code: Fault['code']
  readonly description: string
}

const j1939 = (spn: number, fmi: number, source: number, description: string): FaultKind => ({
  code: { protocol: 'j1939', spn, fmi, source },
  description,
})
const obdii = (dtc: string, description: string): FaultKind => ({
  code: { protocol: 'obdii', dtc },
  description,
})

const truckFaults = [
  j1939(3226, 2, 0, 'Aftertreatment 1 outlet NOx: data erratic'),
  j1939(3251, 0, 0, 'Aftertreatment 1 DPF differential pressure: above normal, most severe'),
  j1939(110, 16, 0, 'Engine coolant temperature: above normal, moderately severe'),
  j1939(100, 1, 0, 'Engine oil pressure: below normal, most severe'),
  j1939(639, 9, 3, 'J1939 network 1: abnormal update rate'),
  j1939(168, 18, 0, 'Battery potential: below normal, moderately severe'),
]

const vanFaults = [
  obdii('P0087', 'Fuel rail pressure too low'),
  obdii('P0301', 'Cylinder 1 misfire detected'),
  obdii('P0420', 'Catalyst system efficiency below threshold, bank 1'),
  obdii('P0128', 'Coolant thermostat below regulating temperature'),
  obdii('P0455', 'Evaporative emission system leak detected, gross leak'),
]

export const MAX_FAULT_DURATION = 12 * DAY

interface PlannedFault extends FaultKind {
  readonly run: Run
  readonly openedAt: Ms
  readonly confirmedAt: Ms
  readonly closedAt: Ms
  readonly lamp: boolean
}

/** Returns the faults of trips in the order of time. A code that is open does not occur again. */
export function faultsOf(runs: readonly Run[], seeded: Seeded, now: Ms): Fault[] {
  const planned = runs.flatMap((run) => faultOn(run, seeded) ?? [])
  const isAlreadyOpen = (one: PlannedFault, index: number) =>
    planned.slice(0, index).some(({ code, closedAt }) => code === one.code && closedAt >= one.openedAt)
  return planned
    .filter((one, index) => !isAlreadyOpen(one, index))
    .flatMap((one) => arrivedPartOf(one, now) ?? [])
}

/** Returns the fault that begins on a trip, if any. Electric vehicles have none. */
function faultOn(run: Run, { seed, options }: Seeded): PlannedFault | null {
  const draw = drawsOf(seed, drawPurpose.fault, run.number)
  if (draw() > options.faultShare || run.spec.fuel === 'electric') return null
  const { drive } = run
  const openedAt = drive.startsAt + Math.floor(between(draw, 0.1, 0.9) * (drive.endsAt - drive.startsAt))
  const confirmedAt = draw() < 0.3 ? openedAt + 2 * HOUR : openedAt
  const closedAt = openedAt + Math.floor(between(draw, 3 * HOUR, MAX_FAULT_DURATION))
  const known = oneOf(draw, run.spec.isTruck ? truckFaults : vanFaults)
  return { ...known, run, openedAt, confirmedAt, closedAt, lamp: draw() < 0.6 }
}

/** Returns a fault as far as it has arrived; null before. */
function arrivedPartOf(
  { run, confirmedAt, openedAt, closedAt, ...known }: PlannedFault,
  now: Ms,
): Fault | null {
  const arrivedAt = run.arrivalOf(openedAt)
  if (arrivedAt > now) return null
  const changes = [confirmedAt, closedAt].filter((at) => at <= now)
  return {
    ...known,
    number: run.number,
    vehicle: run.vehicle,
    arrivedAt,
    updatedAt: Math.max(arrivedAt, ...changes),
    openedAt,
    closedAt: closedAt <= now ? closedAt : null,
    isPending: confirmedAt > now,
  }
}
