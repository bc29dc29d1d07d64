import { toIso } from '../../../src/domain/time.ts'
import { DAY, MINUTE, NOON, type SeededConnection } from '../factories.ts'

/** REST responses for the fleet of fleet.ts, with references as ids. */

const metadata = {
  addedAt: toIso(NOON - 10 * DAY),
  modifiedAt: toIso(NOON - 5 * DAY),
  visibility: 'visible',
}

export const deletedMetadata = { ...metadata, deletedAt: toIso(NOON - DAY), visibility: 'deleted' }

export function expectedVehicle(of: SeededConnection) {
  const {
    vehicles: [row],
    groups,
    devices,
  } = of
  return {
    id: row!.id,
    sourceId: row!.sourceId,
    provider: 'sandbox',
    status: 'active',
    vin: '1HGCM82633A004352',
    name: 'Nº 7 "Ünï"\n',
    make: 'Volvo',
    model: 'VNL',
    year: 2021,
    licensePlate: { state: 'ON', number: 'AB 123' },
    fuelType: 'hybrid_diesel',
    fuelEfficiency: 33.5,
    fuelTankCapacity: 900,
    createdAt: toIso(NOON - 500 * DAY),
    updatedAt: toIso(NOON - 9 * DAY),
    metadata,
    groups: [groups[1]!.id],
    devices: [devices[0]!.id],
  }
}

export function bareVehicle(of: SeededConnection) {
  const row = of.vehicles[1]!
  return {
    id: row.id,
    sourceId: row.sourceId,
    provider: 'sandbox',
    status: 'inactive',
    metadata,
    groups: [],
    devices: [],
  }
}

export function expectedDriver(of: SeededConnection) {
  const {
    drivers: [row],
    groups,
  } = of
  return {
    id: row!.id,
    sourceId: row!.sourceId,
    provider: 'sandbox',
    status: 'active',
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@example.com',
    phone: '+15550100',
    license: { state: 'TX', number: 'D1' },
    createdAt: toIso(NOON - 400 * DAY),
    metadata,
    groups: [groups[1]!.id],
  }
}

export const expectedGroup = (of: SeededConnection) => {
  const [parent, row] = of.groups
  return {
    id: row!.id,
    sourceId: row!.sourceId,
    provider: 'sandbox',
    name: 'Region West',
    description: 'A "quoted" one',
    parent: parent!.id,
    metadata,
  }
}

export const expectedDevice = (of: SeededConnection) => {
  const row = of.devices[0]!
  return {
    id: row.id,
    sourceId: row.sourceId,
    provider: 'sandbox',
    type: 'tracker',
    vehicle: row.vehicleId,
    serialNumber: 'S-1',
    lastConnectedAt: toIso(NOON - MINUTE),
    metadata,
  }
}

export const rawOf = (schema = 'record') => [
  {
    provider: 'sandbox',
    schema,
    extractedAt: toIso(NOON - DAY),
    data: schema === 'point' ? { at: 'noon' } : { nested: { list: [1, 'two', null] }, text: 'ünïcödé' },
  },
]

export function expectedTrailer(of: SeededConnection) {
  const {
    trailers: [row],
    groups,
  } = of
  return {
    id: row!.id,
    sourceId: row!.sourceId,
    provider: 'sandbox',
    status: 'active',
    name: 'T-1',
    vin: '1UYVS2538AU901234',
    serialNumber: 'S-T1',
    make: 'Utility',
    model: '3000R',
    year: 2019,
    licensePlate: { state: 'TX', number: 'TR 1' },
    createdAt: toIso(NOON - 300 * DAY),
    metadata,
    groups: [groups[1]!.id],
  }
}

export const expectedIssue = ({ issues: [row], connection }: SeededConnection) => ({
  id: row!.id,
  status: 'ongoing',
  connection: connection.id,
  error: { code: 'permission_missing', message: 'The account may not read drivers.' },
  firstReportedAt: toIso(NOON - 3 * DAY),
  lastReportedAt: toIso(NOON - DAY),
  resolutionType: 'action_required',
})

export function syncs({ syncs: [failed, completed], issues }: SeededConnection) {
  return {
    failed: {
      id: failed!.id,
      status: 'failed',
      requestedAt: toIso(NOON - 3 * DAY),
      completedAt: toIso(NOON - 2 * DAY + MINUTE),
      failureReason: 'The provider was away.',
      progress: 40,
      startFrom: toIso(NOON - 30 * DAY),
      attempts: 1,
      providerRequests: [],
      issues: [] as string[],
    },
    completed: {
      id: completed!.id,
      status: 'completed',
      requestedAt: toIso(NOON - 2 * DAY),
      completedAt: toIso(NOON - 2 * DAY + MINUTE),
      progress: 100,
      attempts: 1,
      providerRequests: ['historical_files'],
      issues: [issues[0]!.id],
    },
  }
}
