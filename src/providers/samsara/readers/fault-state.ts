import {
  applyReports,
  type FaultReport,
  keyed,
  keyOf,
  keyWithStart,
  type OpenFaults,
  type ReportedFault,
} from './fault-diff.ts'

/** Known fault codes of some vehicles. The settled time is a time before which all reports have arrived. */
export interface FaultState {
  /** Codes that were open at the settled time. */
  readonly open: OpenFaults
  /**
   * Faults that began after the settled time and were emitted as records. A late report may change them. Saved
   * checkpoints have this name.
   */
  readonly told: OpenFaults
}

export const emptyFaultState: FaultState = { open: {}, told: {} }

/** Splits the state into that of the given vehicles and that of the other vehicles. */
export function splitByVehicles(
  { open, told: emitted }: FaultState,
  ids: ReadonlySet<string>,
): [selected: FaultState, others: FaultState] {
  const [openSelected, openOthers] = splitFaults(open, ids)
  const [emittedSelected, emittedOthers] = splitFaults(emitted, ids)
  return [
    { open: openSelected, told: emittedSelected },
    { open: openOthers, told: emittedOthers },
  ]
}

/**
 * Moves the settled time back to `at`, to read reports again. Codes that opened since `at` are no longer settled: the
 * reports have to show them again.
 */
export function stateAt({ open, told: emitted }: FaultState, at: number): FaultState {
  const all = Object.entries(open)
  const isEarlier = ([, { openedAt }]: [string, ReportedFault]) => Date.parse(openedAt) < at
  const later = all.filter((entry) => !isEarlier(entry))
  return {
    open: Object.fromEntries(all.filter(isEarlier)),
    told: {
      ...emitted,
      ...Object.fromEntries(later.map(([key, fault]) => [keyWithStart(key, fault), fault])),
    },
  }
}

function splitFaults(faults: OpenFaults, ids: ReadonlySet<string>): [OpenFaults, OpenFaults] {
  const isSelected = ([, { vehicle }]: [string, ReportedFault]) => ids.has(vehicle.id)
  const all = Object.entries(faults)
  return [
    Object.fromEntries(all.filter(isSelected)),
    Object.fromEntries(all.filter((entry) => !isSelected(entry))),
  ]
}

/**
 * Derives the faults from all reports since the settled time of the state. Returns them, and the state at the next
 * settled time. A late report can change the start of a fault, which is part of its identity. The emitted fault is then
 * `gone`, and another one takes its place.
 */
export function changesSince(
  { open, told: emitted }: FaultState,
  reports: readonly FaultReport[],
  nextSettledAt: number,
) {
  const isSettled = ({ at }: FaultReport) => at < nextSettledAt
  const settled = applyReports(open, reports.filter(isSettled))
  const unsettled = applyReports(
    settled.open,
    reports.filter((report) => !isSettled(report)),
  )
  const changed = new Map([...settled.changed, ...unsettled.changed])
  const gone = Object.entries(keyed(emitted, (fault) => keyWithStart(keyOf(fault), fault)))
    .filter(([key]) => !changed.has(key))
    .map(([, fault]) => ({ ...fault, status: 'gone' as const }))
  const started = [...unsettled.changed].filter(([, { openedAt }]) => Date.parse(openedAt) >= nextSettledAt)
  const known: FaultState = { open: settled.open, told: Object.fromEntries(started) }
  return { faults: [...changed.values(), ...gone], known }
}
