import {
  applyReports,
  type FaultReport,
  keyed,
  keyOf,
  type OpenFaults,
  type ReportedFault,
} from './fault-diff.ts'

/** Known fault codes of some vehicles. */
export interface FaultState {
  /** Codes that were open at the settled time. All reports before that time have arrived. */
  readonly open: OpenFaults
  /** Emitted faults that began since then. A late report may change them. */
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

/** Returns the state at an earlier time. Codes that began since then must be derived from reports again. */
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
 * Derives the faults of all reports since the settled time, and the state at the next one. An emitted fault
 * that no longer results is `gone`: a late report gave it another start.
 */
export function changesSince({ open, told }: FaultState, reports: readonly FaultReport[], settledAt: number) {
  const isSettled = ({ at }: FaultReport) => at < settledAt
  const settled = applyReports(open, reports.filter(isSettled))
  const unsettled = applyReports(
    settled.open,
    reports.filter((report) => !isSettled(report)),
  )
  const changed = new Map([...settled.changed, ...unsettled.changed])
  const gone = Object.entries(keyed(told, (fault) => `${keyOf(fault)} ${fault.openedAt}`))
    .filter(([key]) => !changed.has(key))
    .map(([, fault]) => ({ ...fault, status: 'gone' as const }))
  const started = [...unsettled.changed].filter(([, { openedAt }]) => Date.parse(openedAt) >= settledAt)
  const known: FaultState = { open: settled.open, told: Object.fromEntries(started) }
  return { faults: [...changed.values(), ...gone], known }
}
