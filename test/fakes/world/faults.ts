import { DAY, HOUR } from './calendar.ts'
import { about, between, drawsOf, oneOf } from './draws.ts'
import type { Run } from './trip-runs.ts'
import type { Fault, Ms } from './truth.ts'

interface Known {
  readonly code: Fault['code']
  readonly description: string
}

const j1939 = (spn: number, fmi: number, source: number, description: string): Known => ({
  code: { protocol: 'j1939', spn, fmi, source },
  description,
})
const obdii = (dtc: string, description: string): Known => ({ code: { protocol: 'obdii', dtc }, description })

const ofTrucks = [
  j1939(3226, 2, 0, 'Aftertreatment 1 outlet NOx: data erratic'),
  j1939(3251, 0, 0, 'Aftertreatment 1 DPF differential pressure: above normal, most severe'),
  j1939(110, 16, 0, 'Engine coolant temperature: above normal, moderately severe'),
  j1939(100, 1, 0, 'Engine oil pressure: below normal, most severe'),
  j1939(639, 9, 3, 'J1939 network 1: abnormal update rate'),
  j1939(168, 18, 0, 'Battery potential: below normal, moderately severe'),
]

const ofVans = [
  obdii('P0087', 'Fuel rail pressure too low'),
  obdii('P0301', 'Cylinder 1 misfire detected'),
  obdii('P0420', 'Catalyst system efficiency below threshold, bank 1'),
  obdii('P0128', 'Coolant thermostat below regulating temperature'),
  obdii('P0455', 'Evaporative emission system leak detected, gross leak'),
]

/** Maximum duration of a fault. */
export const LONGEST_FAULT = 12 * DAY

interface Shown extends Known {
  readonly run: Run
  readonly openedAt: Ms
  readonly confirmedAt: Ms
  readonly closedAt: Ms
  readonly lamp: boolean
}

/** Returns the faults on trips in time order; an open code does not occur again. */
export function faultsOf(runs: readonly Run[], seed: number, now: Ms): Fault[] {
  const shown = runs.flatMap((run) => faultOn(run, seed) ?? [])
  const isThere = (one: Shown, index: number) =>
    shown.slice(0, index).some(({ code, closedAt }) => code === one.code && closedAt >= one.openedAt)
  return shown.filter((one, index) => !isThere(one, index)).flatMap((one) => arrivedPartOf(one, now) ?? [])
}

/** Returns the fault on a trip, or null; few trips have one, and electric vehicles have none. */
function faultOn(run: Run, seed: number): Shown | null {
  const draw = drawsOf(seed, about.fault, run.number)
  if (draw() > 0.012 || run.build.fuel === 'electric') return null
  const { drive } = run
  const openedAt = drive.startsAt + Math.floor(between(draw, 0.1, 0.9) * (drive.endsAt - drive.startsAt))
  const confirmedAt = draw() < 0.3 ? openedAt + 2 * HOUR : openedAt
  const closedAt = openedAt + Math.floor(between(draw, 3 * HOUR, LONGEST_FAULT))
  const known = oneOf(draw, run.build.isTruck ? ofTrucks : ofVans)
  return { ...known, run, openedAt, confirmedAt, closedAt, lamp: draw() < 0.6 }
}

/** Returns the part of a fault that has arrived. */
function arrivedPartOf({ run, confirmedAt, openedAt, closedAt, ...known }: Shown, now: Ms): Fault | null {
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
