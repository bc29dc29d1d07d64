import type { Fault, Ms } from '../../world/truth.ts'
import { versionsAt } from '../stores/timed-record-store.ts'
import type { EntityVersion } from '../stores/version-log.ts'
import { dateTime, type Entity, longId } from '../formats.ts'
import { controllerOf, diagnosticOf, failureModeOf, UNPLUGGED } from './diagnostics.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'

/** Record of a fault. A closed fault changes its record or has a second one. */
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

export function faultVersions(fleet: Fleet, since: Ms, until: Ms): EntityVersion[] {
  const { world, switches } = fleet
  return fleet.vehicleNumbers().flatMap((vehicle) => [
    ...world.faults(vehicle, world.startsAt, until + 1).flatMap((fault) =>
      reportedFaults(fault, switches.faultClosing).flatMap((reported) => {
        const times = [fault.arrivedAt, fault.updatedAt].map((at) => Math.max(at, reported.at))
        return versionsAt(times, since, until, reported.id, () => toFaultData(fault, reported, fleet))
      }),
    ),
    ...(vehicle % 9 === 4 ? versionsAt(...unpluggedVersions(fleet, vehicle, since, until)) : []),
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

/** Returns the fault of an unplugged device, which is no fault of the vehicle. */
function unpluggedVersions(
  fleet: Fleet,
  vehicle: number,
  since: Ms,
  until: Ms,
): Parameters<typeof versionsAt> {
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
