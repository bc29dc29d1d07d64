import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import { isObject } from '../../../platform/is-object.ts'
import { parseParts } from '../../mapping/readable-parts.ts'
import { nameOf } from '../mappers/engine.ts'
import { j1939Code, obdiiCode } from '../schemas/engine.ts'

/** Fault code, from the first report that contains it until the first one that does not. */
export interface ReportedFault {
  readonly vehicle: { readonly id: string }
  readonly protocol: 'j1939' | 'obdii'
  readonly openedAt: string
  readonly status: 'open' | 'pending' | 'closed'
  /** Whether the malfunction lamp is on, as Samsara sent it; null if unknown. */
  readonly lamp: unknown
  readonly code: unknown
  /** Source address of the controller, if one with a lower address has the same code in the same report. */
  readonly controller?: number
}

/** All fault codes that were set in a vehicle at one time. */
export interface FaultReport {
  readonly vehicleId: string
  readonly at: number
  readonly reading: unknown
}

/** Fault codes by key, which `keyOf` derives from vehicle, name and controller. */
export type OpenFaults = Readonly<Record<string, ReportedFault>>

interface FaultChanges {
  readonly open: OpenFaults
  /** Latest state of each fault that the reports contain or close, by `keyWithStart`. */
  readonly changed: ReadonlyMap<string, ReportedFault>
}

/** Applies reports, in order of time, to the codes that were open before the first one. */
export function applyReports(before: OpenFaults, reports: readonly FaultReport[]): FaultChanges {
  const open = new Map(Object.entries(keyed(before, keyOf)))
  const changed = new Map<string, ReportedFault>()
  const record = (key: string, fault: ReportedFault) => changed.set(keyWithStart(key, fault), fault)
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

/** Returns a reported fault. If it was open before, it keeps the start and controller of its first report. */
function continued(fault: ReportedFault, before: ReportedFault | undefined): ReportedFault {
  if (!before) return fault
  const { controller: _, ...reported } = fault
  const { openedAt, controller } = before
  return { ...reported, openedAt, ...(controller === undefined ? {} : { controller }) }
}

/** Computes the keys of stored faults again: keys of earlier versions have no source address. */
export const keyed = (faults: OpenFaults, keyOf: (fault: ReportedFault) => string): OpenFaults =>
  Object.fromEntries(Object.values(faults).map((fault) => [keyOf(fault), fault]))

/** Key of a fault among the open ones. It includes the source address: two controllers can report one J1939 code. */
export const keyOf = (fault: ReportedFault): string => {
  const address = addressOf(fault)
  return `${fault.vehicle.id} ${nameOfCode(fault)}${address === null ? '' : `@${address}`}`
}

/** Key of a fault among all faults: the same code can open again after it was closed. */
export const keyWithStart = (key: string, { openedAt }: ReportedFault): string => `${key} ${openedAt}`

/** Source address of the controller that reports a J1939 code. */
const addressOf = ({ protocol, code }: ReportedFault): number | null =>
  protocol === 'j1939' ? (parseParts(j1939Code, code)?.txId ?? null) : null

const codes = z.array(z.unknown()).nullish()
const report = z.looseObject({
  j1939: z.looseObject({ diagnosticTroubleCodes: codes }).nullish(),
  obdii: z.looseObject({ diagnosticTroubleCodes: codes }).nullish(),
})
const computer = z.looseObject({
  milStatus: z.unknown().optional(),
  confirmedDtcs: codes,
  permanentDtcs: codes,
  pendingDtcs: codes,
})

/**
 * Returns the parts of a reading whose codes cannot be read: the reading itself, or single entries of its list of
 * computers. The codes of such a part are unknown, which does not mean that there are none.
 */
export function unreadablePartsOf(reading: unknown): readonly unknown[] {
  const { data } = report.safeParse(reading)
  if (!data || timeOf(reading) === null) return [reading]
  const computers = data.obdii?.diagnosticTroubleCodes ?? []
  const unreadable = computers.filter((entry) => !computer.safeParse(entry).success)
  return unreadable.some(isObject) ? [reading] : unreadable
}

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
    ...(data?.obdii?.diagnosticTroubleCodes ?? []).flatMap((entry) =>
      codesOfComputer(entry).map((fault) => ({ ...shared, ...fault })),
    ),
  ]
  return new Map(withControllers(faults).map((fault) => [keyOf(fault), fault]))
}

/** Adds the controller to each code that a controller with a lower address has too. */
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
  const milStatus = parseParts(j1939Code, code)?.milStatus
  return milStatus == null ? null : milStatus !== 0
}

/** Lists confirmed codes last: `codesIn` keeps the last status of a code, and confirmed overrides pending. */
function codesOfComputer(entry: unknown) {
  const { data } = computer.safeParse(entry)
  const lamp = data?.milStatus ?? null
  const withStatus = (status: 'open' | 'pending', list: z.infer<typeof codes>) =>
    (list ?? []).map((code) => ({ protocol: 'obdii' as const, status, lamp, code }))
  return [
    ...withStatus('pending', data?.pendingDtcs),
    ...withStatus('open', data?.permanentDtcs),
    ...withStatus('open', data?.confirmedDtcs),
  ]
}

/**
 * Name of a code. All unreadable codes share one name, so that the mapping rejects one record for all of them.
 */
function nameOfCode({ protocol, code }: Pick<ReportedFault, 'protocol' | 'code'>): string {
  const data = protocol === 'j1939' ? parseParts(j1939Code, code) : parseParts(obdiiCode, code)
  return data ? nameOf({ protocol, code: data } as Parameters<typeof nameOf>[0]) : 'unreadable'
}

const timed = z.looseObject({ time: z.string() })

export const timeOf = (reading: unknown): number | null => {
  const { data } = timed.safeParse(reading)
  return data ? toInstant(data.time) : null
}
