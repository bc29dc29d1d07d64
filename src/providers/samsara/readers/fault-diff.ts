import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import { nameOf } from '../mappers/engine.ts'
import { j1939Code, obdiiCode } from '../schemas/engine.ts'

/** Fault code, from the first report that contains it until the first one that does not. */
export interface ReportedFault {
  readonly vehicle: { readonly id: string }
  readonly protocol: 'j1939' | 'obdii'
  readonly openedAt: string
  readonly status: 'open' | 'pending' | 'closed'
  readonly lamp: boolean | null
  readonly code: unknown
  /** Source address, if another controller opened the same code in the same report. */
  readonly controller?: number
}

/** All fault codes that were set in a vehicle at one time. */
export interface FaultReport {
  readonly vehicleId: string
  readonly at: number
  readonly reading: unknown
}

/** Open fault codes by vehicle and name. */
export type OpenFaults = Readonly<Record<string, ReportedFault>>

interface FaultChanges {
  readonly open: OpenFaults
  /** Latest state of each changed code. */
  readonly changed: ReadonlyMap<string, ReportedFault>
}

/** Applies reports to the codes that were open before them. */
export function applyReports(before: OpenFaults, reports: readonly FaultReport[]): FaultChanges {
  const open = new Map(Object.entries(keyed(before, keyOf)))
  const changed = new Map<string, ReportedFault>()
  const record = (key: string, fault: ReportedFault) => changed.set(`${key} ${fault.openedAt}`, fault)
  for (const { vehicleId, at, reading } of reports.toSorted((one, other) => one.at - other.at)) {
    const current = codesIn(vehicleId, at, reading)
    for (const [key, fault] of open) {
      if (fault.vehicle.id !== vehicleId || current.has(key)) continue
      open.delete(key)
      record(key, { ...fault, status: 'closed' })
    }
    for (const [key, fault] of current) {
      const known = continued(fault, open.get(key))
      open.set(key, known)
      record(key, known)
    }
  }
  return { open: Object.fromEntries(open), changed }
}

/** Returns a reported fault with the identity that its first report gave it, if it was open before. */
function continued(fault: ReportedFault, before: ReportedFault | undefined): ReportedFault {
  if (!before) return fault
  const { controller: _, ...reported } = fault
  const { openedAt, controller } = before
  return { ...reported, openedAt, ...(controller === undefined ? {} : { controller }) }
}

/** Keys faults again: the key of a state that an earlier version stored has no source address. */
export const keyed = (faults: OpenFaults, keyOf: (fault: ReportedFault) => string): OpenFaults =>
  Object.fromEntries(Object.values(faults).map((fault) => [keyOf(fault), fault]))

/** Identifies an open fault. Two controllers of a vehicle can report the same J1939 code. */
export const keyOf = (fault: ReportedFault): string => {
  const address = addressOf(fault)
  return `${fault.vehicle.id} ${nameOfCode(fault)}${address === null ? '' : `@${address}`}`
}

const addressOf = ({ protocol, code }: ReportedFault): number | null =>
  protocol === 'j1939' ? (j1939Code.safeParse(code).data?.txId ?? null) : null

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

function codesIn(vehicleId: string, at: number, reading: unknown): Map<string, ReportedFault> {
  const { data } = report.safeParse(reading)
  const shared = { vehicle: { id: vehicleId }, openedAt: toIso(at) }
  const faults: ReportedFault[] = [
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
  return new Map(withControllers(faults).map((fault) => [keyOf(fault), fault]))
}

/** Names the controller of each code that a report contains a second time, from the lowest address up. */
function withControllers(faults: readonly ReportedFault[]): ReportedFault[] {
  const addresses = new Map<string, number>()
  return faults
    .toSorted((one, other) => (addressOf(one) ?? 0) - (addressOf(other) ?? 0))
    .map((fault) => {
      const [name, address] = [nameOfCode(fault), addressOf(fault)]
      if (address === null) return fault
      const first = addresses.get(name) ?? address
      addresses.set(name, first)
      return first === address ? fault : { ...fault, controller: address }
    })
}

function lampOf(code: unknown): boolean | null {
  const milStatus = j1939Code.safeParse(code).data?.milStatus
  return milStatus == null ? null : milStatus !== 0
}

/** A confirmed code overrides a pending one. */
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

/**
 * Name of a code. All unreadable codes share one name, so one record reaches the mapping, which rejects it.
 */
function nameOfCode({ protocol, code }: Pick<ReportedFault, 'protocol' | 'code'>): string {
  const { data } = protocol === 'j1939' ? j1939Code.safeParse(code) : obdiiCode.safeParse(code)
  return data ? nameOf({ protocol, code: data } as Parameters<typeof nameOf>[0]) : 'unreadable'
}

const timed = z.looseObject({ time: z.string() })

export const timeOf = (reading: unknown): number | null => {
  const { data } = timed.safeParse(reading)
  return data ? toInstant(data.time) : null
}
