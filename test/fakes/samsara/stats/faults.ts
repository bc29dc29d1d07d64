import type { Fault, Ms, Vehicle } from '../../world/truth.ts'
import type { Organization } from '../organization.ts'

/** All open fault codes of a vehicle, after one of them changed. */
export interface FaultReport {
  readonly at: Ms
  readonly arrivedAt: Ms
  readonly active: readonly Fault[]
}

/** Returns a report for each arrived change of a fault, in the order of time. */
export function faultReports(organization: Organization, { number }: Vehicle): readonly FaultReport[] {
  return organization.cached(`faults ${number}`, () => {
    const { world, now } = organization
    const faults = world.faults(number, world.startsAt, now + 1)
    const arrivals = new Map<Ms, Ms>()
    const addReport = (at: Ms, arrivedAt: Ms) =>
      arrivals.set(at, Math.max(arrivedAt, arrivals.get(at) ?? arrivedAt))
    for (const { openedAt, closedAt, arrivedAt, updatedAt } of faults) {
      addReport(openedAt, arrivedAt)
      if (closedAt === null && updatedAt > arrivedAt) addReport(updatedAt, updatedAt)
      if (closedAt !== null && closedAt <= now) addReport(closedAt, Math.max(closedAt, updatedAt))
    }
    return [...arrivals]
      .filter(([, arrivedAt]) => arrivedAt <= now)
      .toSorted(([one], [other]) => one - other)
      .map(([at, arrivedAt]) => ({ at, arrivedAt, active: faults.filter((fault) => isOpen(fault, at)) }))
  })
}

const isOpen = ({ openedAt, closedAt }: Fault, at: Ms): boolean =>
  openedAt <= at && (closedAt === null || closedAt > at)

export function toFaultCodes(active: readonly Fault[]): object {
  const j1939 = active.filter(({ code }) => code.protocol === 'j1939')
  const obdii = active.filter(({ code }) => code.protocol === 'obdii')
  return {
    canBusType: obdii.length > 0 && j1939.length === 0 ? 'CANBUS_OBD_500' : 'CANBUS_J1939_500',
    ...(obdii.length === 0 && { j1939: toJ1939(j1939) }),
    ...(j1939.length > 0 && obdii.length > 0 && { j1939: toJ1939(j1939) }),
    ...(obdii.length > 0 && { obdii: toObdii(obdii) }),
  }
}

const toJ1939 = (faults: readonly Fault[]) => ({
  checkEngineLights: {
    emissionsIsOn: false,
    protectIsOn: false,
    stopIsOn: false,
    warningIsOn: faults.some(({ lamp }) => lamp),
  },
  diagnosticTroubleCodes: faults.flatMap(({ code, description, lamp }) =>
    code.protocol === 'j1939'
      ? {
          spnId: code.spn,
          spnDescription: description,
          fmiId: code.fmi,
          fmiDescription: fmiText(code.fmi),
          txId: code.source,
          sourceAddressName: `Computer #${code.source}`,
          occurrenceCount: 1,
          milStatus: lamp ? 1 : 0,
        }
      : [],
  ),
})

export const fmiText = (fmi: number) => `Failure mode ${fmi}`

const toObdii = (faults: readonly Fault[]) => ({
  checkEngineLightIsOn: faults.some(({ lamp }) => lamp),
  diagnosticTroubleCodes: [true, false]
    .map((lamp) => faults.filter((fault) => fault.lamp === lamp))
    .map((group, index) => ({ txId: 2024 + index, milStatus: index === 0, group }))
    .filter(({ group }) => group.length > 0)
    .map(({ group, ...computer }) => ({
      ...computer,
      confirmedDtcs: group.filter(({ isPending }) => !isPending).flatMap(toDtc),
      pendingDtcs: group.filter(({ isPending }) => isPending).flatMap(toDtc),
      permanentDtcs: [],
    })),
})

export const toDtc = ({ code, description }: Fault) =>
  code.protocol === 'obdii'
    ? [{ dtcId: dtcId(code.dtc), dtcShortCode: code.dtc, dtcDescription: description }]
    : []

/** Encodes a trouble code as a number: the letter as two bits, then the hexadecimal digits. P0087 is 135. */
const dtcId = (shortCode: string): number =>
  ('PCBU'.indexOf(shortCode.charAt(0)) << 14) | Number.parseInt(shortCode.slice(1), 16)
