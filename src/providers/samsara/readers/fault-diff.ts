import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import { nameOf } from '../mappers/engine.ts'
import { j1939Code, obdiiCode } from '../schemas/engine.ts'

/** A code as it is told: from the report that shows it first to that which does not show it any more. */
export interface ReportedFault {
  readonly vehicle: { readonly id: string }
  readonly protocol: 'j1939' | 'obdii'
  readonly openedAt: string
  readonly status: 'open' | 'pending' | 'closed'
  readonly lamp: boolean | null
  readonly code: unknown
}

/** What a vehicle's computers told at a moment: all the codes that were set. */
export interface FaultReport {
  readonly vehicleId: string
  readonly at: number
  readonly told: unknown
}

/** The codes that are set, by vehicle and name. */
export type OpenFaults = Readonly<Record<string, ReportedFault>>

interface FaultChanges {
  readonly open: OpenFaults
  /** What is told of each code that was touched, the last word of it. */
  readonly touched: ReadonlyMap<string, ReportedFault>
}

/** What the reports make of the codes that were set before them. */
export function applyReports(before: OpenFaults, reports: readonly FaultReport[]): FaultChanges {
  const open = new Map(Object.entries(before))
  const touched = new Map<string, ReportedFault>()
  const tell = (key: string, fault: ReportedFault) => touched.set(`${key} ${fault.openedAt}`, fault)
  for (const { vehicleId, at, told } of reports.toSorted((one, other) => one.at - other.at)) {
    const shown = codesIn(vehicleId, at, told)
    for (const [key, fault] of open) {
      if (fault.vehicle.id !== vehicleId || shown.has(key)) continue
      open.delete(key)
      tell(key, { ...fault, status: 'closed' })
    }
    for (const [key, fault] of shown) {
      const known = { ...fault, openedAt: open.get(key)?.openedAt ?? fault.openedAt }
      open.set(key, known)
      tell(key, known)
    }
  }
  return { open: Object.fromEntries(open), touched }
}

const codes = z.array(z.unknown()).nullish()
const report = z.looseObject({
  j1939: z.looseObject({ diagnosticTroubleCodes: codes }).nullish(),
  obdii: z.looseObject({ diagnosticTroubleCodes: codes }).nullish(),
})
const computer = z.looseObject({
  milStatus: z.boolean().nullish(),
  confirmedDtcs: codes,
  permanentDtcs: codes,
  pendingDtcs: codes,
})

function codesIn(vehicleId: string, at: number, told: unknown): Map<string, ReportedFault> {
  const { data } = report.safeParse(told)
  const shared = { vehicle: { id: vehicleId }, openedAt: toIso(at) }
  const faults = [
    ...(data?.j1939?.diagnosticTroubleCodes ?? []).map((code) => ({
      ...shared,
      protocol: 'j1939' as const,
      status: 'open' as const,
      lamp: lampOf(code),
      code,
    })),
    ...(data?.obdii?.diagnosticTroubleCodes ?? []).flatMap((one) =>
      codesOfComputer(one).map((fault) => ({ ...shared, ...fault })),
    ),
  ]
  return new Map(faults.map((fault) => [`${vehicleId} ${nameIn(fault)}`, fault]))
}

function lampOf(code: unknown): boolean | null {
  const milStatus = j1939Code.safeParse(code).data?.milStatus
  return milStatus == null ? null : milStatus !== 0
}

/** What is confirmed counts before what is pending. */
function codesOfComputer(one: unknown) {
  const { data } = computer.safeParse(one)
  const lamp = data?.milStatus ?? null
  const as = (status: 'open' | 'pending', list: z.infer<typeof codes>) =>
    (list ?? []).map((code) => ({ protocol: 'obdii' as const, status, lamp, code }))
  return [
    ...as('pending', data?.pendingDtcs),
    ...as('open', data?.permanentDtcs),
    ...as('open', data?.confirmedDtcs),
  ]
}

/** What cannot be read has no name: it is told once, for the mapping to refuse. */
function nameIn({ protocol, code }: Pick<ReportedFault, 'protocol' | 'code'>): string {
  const { data } = protocol === 'j1939' ? j1939Code.safeParse(code) : obdiiCode.safeParse(code)
  return data ? nameOf({ protocol, code: data } as Parameters<typeof nameOf>[0]) : 'unreadable'
}

const timed = z.looseObject({ time: z.string() })

export const timeOf = (told: unknown): number | null => {
  const { data } = timed.safeParse(told)
  return data ? toInstant(data.time) : null
}
