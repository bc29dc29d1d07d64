import type { Fault } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { pageOf } from '../pages.ts'
import { toEldSummary, toVehicleSummary } from '../roster/people.ts'
import { toTime } from '../formats.ts'

export const faultsOf = ({ company }: FakeRequest): readonly Fault[] =>
  company.cached('faults', () =>
    company
      .vehicles()
      .flatMap(({ number }) => company.world.faults(number, company.world.startsAt, company.now + 1)),
  )

export const statusOf = ({ closedAt }: Fault): 'open' | 'closed' => (closedAt === null ? 'open' : 'closed')

/** Whether a fault is on another network than j1939 and obdii. */
export const isOnOtherNetwork = (request: FakeRequest, { code, number }: Fault): boolean =>
  request.is('faultNetworks', 'others') && code.protocol === 'j1939' && number % 3 === 0

/** Returns when a fault was last observed: an open one at the last fix of the vehicle. */
export function lastObserved({ company }: FakeRequest, { vehicle, openedAt, closedAt }: Fault): number {
  return closedAt ?? Math.max(openedAt, company.world.lastFix(vehicle)?.at ?? 0)
}

/** `/v1/fault_codes`. */
export function listFaultCodes(request: FakeRequest): object {
  const status = request.query.get('status')
  const [vehicles, filtersByChange] = [
    request.ids('vehicle', 'vehicle_ids'),
    request.is('faultsChanged', 'honoured'),
  ]
  const faults = faultsOf(request)
    .filter((fault) => status === null || statusOf(fault) === status)
    .filter(({ vehicle }) => vehicles?.has(vehicle) ?? true)
    .filter(
      (fault) =>
        !filtersByChange || request.isChanged(Math.max(fault.updatedAt, lastObserved(request, fault))),
    )
    .toSorted((one, other) => one.openedAt - other.openedAt || one.number - other.number)
  return pageOf(request, { list: 'fault_codes', item: 'fault_code' }, faults, (fault) =>
    toFault(request, fault),
  )
}

function toFault(request: FakeRequest, fault: Fault): object {
  const vehicle = request.company.vehicle(fault.vehicle)
  return {
    id: fault.number,
    ...toCode(request, fault),
    code_description: fault.description,
    status: statusOf(fault),
    first_observed_at: toTime(fault.openedAt),
    last_observed_at: toTime(lastObserved(request, fault)),
    type: 'constant',
    num_observations: 1,
    sum_num_observations: 1,
    source_address_name: null,
    is_sid: false,
    fmi_description: null,
    dtc_status: null,
    dtc_severity: null,
    eld_device: vehicle && toEldSummary(vehicle),
    vehicle: vehicle && toVehicleSummary(request, vehicle),
  }
}

function toCode(request: FakeRequest, fault: Fault) {
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
    fmi: request.is('fmi', 'text') ? String(code.fmi) : code.fmi,
    occurrence_count: 1,
    source_address: address,
    source_address_label: address,
    network: isOnOtherNetwork(request, fault) ? 'j1587' : 'j1939',
  }
}
