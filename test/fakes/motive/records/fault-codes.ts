import type { Fault } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { pageOf } from '../pages.ts'
import { toEldSummary, toVehicleSummary } from '../roster/people.ts'
import { toTime } from '../wording.ts'

/** All that were ever told, of vehicles that are still there. */
export const faultsOf = ({ company }: Asked): readonly Fault[] =>
  company.once('faults', () =>
    company
      .vehicles()
      .flatMap(({ number }) => company.world.faults(number, company.world.startsAt, company.now + 1)),
  )

export const statusOf = ({ closedAt }: Fault): 'open' | 'closed' => (closedAt === null ? 'open' : 'closed')

/** Those of a network that is neither j1939 nor obdii. */
export const isOfOthers = (asked: Asked, { code, number }: Fault): boolean =>
  asked.is('faultNetworks', 'others') && code.protocol === 'j1939' && number % 3 === 0

/** An open one was seen last when the vehicle was. */
export function lastObserved({ company }: Asked, { vehicle, openedAt, closedAt }: Fault): number {
  return closedAt ?? Math.max(openedAt, company.world.lastFix(vehicle)?.at ?? 0)
}

/** `/v1/fault_codes`. */
export function listFaultCodes(asked: Asked): object {
  const status = asked.query.get('status')
  const [vehicles, counts] = [asked.ids('vehicle', 'vehicle_ids'), asked.is('faultsChanged', 'honoured')]
  const faults = faultsOf(asked)
    .filter((fault) => status === null || statusOf(fault) === status)
    .filter(({ vehicle }) => vehicles?.has(vehicle) ?? true)
    .filter((fault) => !counts || asked.isChanged(Math.max(fault.updatedAt, lastObserved(asked, fault))))
    .toSorted((one, other) => one.openedAt - other.openedAt || one.number - other.number)
  return pageOf(asked, { list: 'fault_codes', item: 'fault_code' }, faults, (fault) => toFault(asked, fault))
}

function toFault(asked: Asked, fault: Fault): object {
  const vehicle = asked.company.vehicle(fault.vehicle)
  return {
    id: fault.number,
    ...toCode(asked, fault),
    code_description: fault.description,
    status: statusOf(fault),
    first_observed_at: toTime(fault.openedAt),
    last_observed_at: toTime(lastObserved(asked, fault)),
    type: 'constant',
    num_observations: 1,
    sum_num_observations: 1,
    source_address_name: null,
    is_sid: false,
    fmi_description: null,
    dtc_status: null,
    dtc_severity: null,
    eld_device: vehicle && toEldSummary(vehicle),
    vehicle: vehicle && toVehicleSummary(asked, vehicle),
  }
}

function toCode(asked: Asked, fault: Fault) {
  const { code } = fault
  if (code.protocol === 'obdii') {
    const nothing = {
      fmi: null,
      occurrence_count: null,
      source_address: '2024',
      source_address_label: '2024',
    }
    return { code: code.dtc, code_label: code.dtc, ...nothing, network: 'obdii' }
  }
  const [spn, address] = [String(code.spn), String(code.source)]
  return {
    code: spn,
    code_label: `SPN ${spn}`,
    fmi: asked.is('fmi', 'text') ? String(code.fmi) : code.fmi,
    occurrence_count: 1,
    source_address: address,
    source_address_label: address,
    network: isOfOthers(asked, fault) ? 'j1587' : 'j1939',
  }
}
