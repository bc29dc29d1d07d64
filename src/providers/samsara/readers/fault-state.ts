import { type ReportedFault, applyReports, type OpenFaults, type FaultReport } from './fault-diff.ts'

/** What is known of the codes of some vehicles. */
export interface FaultState {
  /** Those that were set at a moment before which all has been told. */
  readonly open: OpenFaults
  /** What was told of codes that were set since: a report that comes late may tell otherwise. */
  readonly told: OpenFaults
}

export const emptyFaultState: FaultState = { open: {}, told: {} }

/** What is known of these vehicles, and of the others. */
export function splitByVehicles(
  { open, told }: FaultState,
  ids: ReadonlySet<string>,
): [theirs: FaultState, others: FaultState] {
  const [openOfThem, openOfOthers] = parted(open, ids)
  const [toldOfThem, toldOfOthers] = parted(told, ids)
  return [
    { open: openOfThem, told: toldOfThem },
    { open: openOfOthers, told: toldOfOthers },
  ]
}

/** What is known as at an earlier moment: codes that were set since are for the reports to tell again. */
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

function parted(faults: OpenFaults, ids: ReadonlySet<string>): [OpenFaults, OpenFaults] {
  const isTheirs = ([, { vehicle }]: [string, ReportedFault]) => ids.has(vehicle.id)
  const all = Object.entries(faults)
  return [Object.fromEntries(all.filter(isTheirs)), Object.fromEntries(all.filter((one) => !isTheirs(one)))]
}

/**
 * What all reports since a settled moment tell, and what is known when those before another one are settled too. What
 * was told before and is not told any more was never so: a report that came late has it begin at another time.
 */
export function changesSince({ open, told }: FaultState, reports: readonly FaultReport[], settledAt: number) {
  const isSettled = ({ at }: FaultReport) => at < settledAt
  const settled = applyReports(open, reports.filter(isSettled))
  const moving = applyReports(
    settled.open,
    reports.filter((report) => !isSettled(report)),
  )
  const touched = new Map([...settled.touched, ...moving.touched])
  const gone = Object.entries(told)
    .filter(([key]) => !touched.has(key))
    .map(([, fault]) => ({ ...fault, status: 'gone' as const }))
  const begun = [...moving.touched].filter(([, { openedAt }]) => Date.parse(openedAt) >= settledAt)
  const known: FaultState = { open: settled.open, told: Object.fromEntries(begun) }
  return { faults: [...touched.values(), ...gone], known }
}
