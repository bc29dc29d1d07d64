import type { Fault, Ms } from '../../world/truth.ts'
import { failureModes } from '../records/diagnostics.ts'
import { type ReportedFault, reportedFaults } from '../records/fault-data.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { deviceId } from '../formats.ts'

const statuses = { Active: 'open', Pending: 'pending', Inactive: 'closed' } as const

/** Returns the faults of vehicles. Faults of devices are no fault codes. */
export const faultCodeEvents = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet
    .vehicleNumbers()
    .flatMap((vehicle) => fleet.world.faults(vehicle, fleet.world.startsAt, to))
    .flatMap((fault) =>
      reportedFaults(fault, fleet.switches.faultClosing).map((reported) => toFaultCodeEvent(fault, reported)),
    )
    .filter(({ observedAt }) => from <= observedAt && observedAt < to)

const toFaultCodeEvent = (fault: Fault, { id, at, state }: ReportedFault) => ({
  sourceId: id,
  vehicleSourceId: deviceId(fault.vehicle),
  status: statuses[state],
  description: fault.description,
  observedAt: at,
  milStatus: fault.lamp ? 'on' : 'off',
  ...codeOf(fault),
})

function codeOf({ code, description, number }: Fault) {
  if (code.protocol === 'obdii') return { protocol: 'obdii', code: code.dtc }
  return {
    protocol: 'j1939',
    code: `SPN${code.spn}-FMI${code.fmi}`,
    spn: code.spn,
    spnDescription: description,
    fmi: code.fmi,
    fmiDescription: failureModes[code.fmi],
    occurrenceCount: 1 + (number % 5),
    sourceAddress: code.source,
  }
}
