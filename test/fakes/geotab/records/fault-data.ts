import type { Fault, Ms } from '../../world/truth.ts'
import { emissionsAt } from '../ledger/timed-record-store.ts'
import type { Emission } from '../ledger/ledger.ts'
import { dateTime, type Entity, longId } from '../formats.ts'
import { controllerOf, diagnosticOf, failureModeOf, UNPLUGGED } from './diagnostics.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'

/** Records of one fault: one that changes, or a second one at its end. */
export interface ReportedFault {
  readonly id: string
  readonly at: Ms
  readonly state: 'Active' | 'Pending' | 'Inactive'
}

export function reportedFaults(fault: Fault, closing: 'updated' | 'another'): ReportedFault[] {
  const id = longId('fault', fault.number)
  const open = fault.isPending ? 'Pending' : 'Active'
  if (fault.closedAt === null) return [{ id, at: fault.openedAt, state: open }]
  if (closing === 'updated') return [{ id, at: fault.openedAt, state: 'Inactive' }]
  const closed = {
    id: longId('fault', fault.number, 'closed'),
    at: fault.closedAt,
    state: 'Inactive',
  } as const
  return [{ id, at: fault.openedAt, state: open }, closed]
}

export function faultEmissions(fleet: Fleet, since: Ms, until: Ms): Emission[] {
  const { world, switches } = fleet
  return fleet.vehicleNumbers().flatMap((vehicle) => [
    ...world.faults(vehicle, world.startsAt, until + 1).flatMap((fault) =>
      reportedFaults(fault, switches.faultClosing).flatMap((reported) => {
        const moments = [fault.arrivedAt, fault.updatedAt].map((at) => Math.max(at, reported.at))
        return emissionsAt(moments, since, until, reported.id, () => toFaultData(fault, reported, fleet))
      }),
    ),
    ...(vehicle % 9 === 4 ? emissionsAt(...unplugged(fleet, vehicle, since, until)) : []),
  ])
}

function toFaultData(fault: Fault, { id, at, state }: ReportedFault, fleet: Fleet): Entity {
  const { code } = fault
  return {
    ...lampsOf(fault.lamp),
    controller: { id: controllerOf(code) },
    count: 1 + (fault.number % 5),
    dateTime: dateTime(at),
    device: deviceReference(fault.vehicle),
    diagnostic: { id: diagnosticOf(fault) },
    failureMode:
      code.protocol === 'j1939' ? { id: failureModeOf(code.fmi) } : fleet.sentinel('NoFailureModeId'),
    faultState: state,
    faultStates: { effectiveStatus: `FaultStatus${state}Id` },
    ...(code.protocol === 'j1939' ? { sourceAddress: code.source } : {}),
    id,
  }
}

const lampsOf = (malfunctionLamp: boolean) => ({
  amberWarningLamp: false,
  malfunctionLamp,
  protectWarningLamp: false,
  redStopLamp: false,
})

/** Faults of the device itself, which are not faults of the vehicle. */
function unplugged(fleet: Fleet, vehicle: number, since: Ms, until: Ms): Parameters<typeof emissionsAt> {
  const [at, id] = [fleet.world.startsAt + vehicle * 3_600_000, longId('fault', 'of device', vehicle)]
  const toEntity = (): Entity => ({
    ...lampsOf(false),
    controller: { id: 'ControllerGoDeviceId' },
    count: 1,
    dateTime: dateTime(at),
    device: deviceReference(vehicle),
    diagnostic: { id: UNPLUGGED },
    failureMode: fleet.sentinel('NoFailureModeId'),
    faultState: 'Active',
    faultStates: { effectiveStatus: 'FaultStatusActiveId' },
    id,
  })
  return [[at], since, until, id, toEntity]
}
