import { defineModel } from './define-model.ts'
import type { NormalizedEntity, NormalizedLicense } from './normalized-record.ts'
import { between } from './value-ranges.ts'

export type NormalizedFuelType =
  'gasoline' | 'diesel' | 'propane' | 'electric' | 'hybrid_gasoline' | 'hybrid_diesel'

export interface NormalizedVehicle extends NormalizedEntity {
  readonly status: 'active' | 'inactive'
  readonly vin: string | null
  readonly name: string | null
  readonly make: string | null
  readonly model: string | null
  readonly year: number | null
  readonly groupSourceIds: readonly string[]
  readonly licensePlate: NormalizedLicense | null
  readonly fuelType: NormalizedFuelType | null
  readonly fuelTankCapacityLiters: number | null
  readonly fuelEfficiencyLitersPer100Kilometers?: number | null
}

export const vehicleModel = defineModel<NormalizedVehicle>()({
  name: 'Vehicle',
  read: 'sync',
  id: { kind: 'vehicle', prefix: 'vcl' },
  node: { typeName: 'Vehicle', table: 'vehicles' },
  queryFields: ['vehicle', 'vehicles'],
  scope: 'vehicles:read',
  sessionScope: 'READ_FLEET',
  consentCategory: 'vehicles',
  events: {
    prefix: 'vehicle',
    member: 'vehicle',
    types: {
      added: { description: 'A vehicle appeared.' },
      modified: { description: 'A vehicle changed.' },
      removed: { description: 'The provider no longer lists a vehicle.' },
    },
    example: {
      status: 'active',
      vin: '1HGCM82633A004352',
      name: 'Truck 17',
      make: 'Volvo',
      model: 'VNL',
      year: 2024,
      metadata: { visibility: 'visible' },
      groups: [],
      devices: [],
    },
  },
  ranges: {
    fuelTankCapacityLiters: between(0, 100_000),
    fuelEfficiencyLitersPer100Kilometers: between(0, 100_000),
  },
  required: {},
  columns: (normalized, resolveId) => {
    const {
      licensePlate,
      groupSourceIds,
      fuelTankCapacityLiters,
      fuelEfficiencyLitersPer100Kilometers = null,
      sourceId: _,
      deletedAt: __,
      ...fields
    } = normalized
    return {
      ...fields,
      licensePlateState: licensePlate?.state ?? null,
      licensePlateNumber: licensePlate?.number ?? null,
      groupIds: groupSourceIds.map((id) => resolveId('group', id)),
      fuelTankCapacity: fuelTankCapacityLiters,
      fuelEfficiency: fuelEfficiencyLitersPer100Kilometers,
    }
  },
})
