import {
  applyReports,
  type FaultReport,
  keyed,
  keyOf,
  type OpenFaults,
  type ReportedFault,
} from './fault-diff.ts'

/** Known fault codes of some vehicles at the settled time. All reports before that time have arrived. */
export interface FaultState {
  /** Codes that were open at the settled time. */
  readonly open: OpenFaults
  /** Faults that began after the settled time and were stored as records. A late report may change them. */
  readonly told: OpenFaults
}

export const emptyFaultState: FaultState = { open: {}, told: {} }

/** Splits the state into that of the given vehicles and that of the others. */
export function splitByVehicles(
  { open, told }: FaultState,
  ids: ReadonlySet<string>,
): [selected: FaultState, others: FaultState] {
  const [openSelected, openOthers] = splitFaults(open, ids)
  const [toldSelected, toldOthers] = splitFaults(told, ids)
  return [
    { open: openSelected, told: toldSelected },
    { open: openOthers, told: toldOthers },
  ]
}

/**
 * Moves the settled time back to `at`, to read reports again. Codes that opened since then are no longer settled: the
 * reports have to show them again.
 */
export function stateAt({ open, told }: FaultState, at: number): FaultState {
  const all = Object.entries(open)
  const isEarlier = ([, { openedAt }]: [string, ReportedFault]) => Date.parse(openedAt) < at
  const since = all.filter((one) => !isEarlier(one))
  return {
    open: Object.fromEntries(all.filter(isEarlier)),
    told: {
      ...told,
      ...Object.fromEntries(since.map(([key, fault]) => [`${key} ${fault.openedAt}`, fault])),
    },
  }
}

function splitFaults(faults: OpenFaults, ids: ReadonlySet<string>): [OpenFaults, OpenFaults] {
  const isSelected = ([, { vehicle }]: [string, ReportedFault]) => ids.has(vehicle.id)
  const all = Object.entries(faults)
  return [
    Object.fromEntries(all.filter(isSelected)),
    Object.fromEntries(all.filter((one) => !isSelected(one))),
  ]
}

/**
 * Derives the faults from all reports since the settled time of the state. Returns them, and the state at the next
 * settled time. A late report can change the start of a fault, which is part of its identity. The stored fault is then
 * `gone`, and another one takes its place.
 */
export function changesSince(
  { open, told }: FaultState,
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
  const gone = Object.entries(keyed(told, (fault) => `${keyOf(fault)} ${fault.openedAt}`))
    .filter(([key]) => !changed.has(key))
    .map(([, fault]) => ({ ...fault, status: 'gone' as const }))
  const started = [...unsettled.changed].filter(([, { openedAt }]) => Date.parse(openedAt) >= nextSettledAt)
  const known: FaultState = { open: settled.open, told: Object.fromEntries(started) }
  return { faults: [...changed.values(), ...gone], known }
}
