import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core'
import { type FragmentType, useFragment } from '../../../dist/tools/client/fragment-masking'
import {
  type ComplianceDocument,
  type DriverDocument,
  type FleetDocument,
  type FuelType,
  type MaintenanceDocument,
  type PositionsDocument,
  type RelabelConnectionDocument,
  TripRowFragmentDoc,
  VehicleRowFragmentDoc,
} from '../../../dist/tools/client/graphql'

// Uses of the generated types by an app. The file is compiled and never run: a compiler error is a failure.

export const nextPage = ({
  vehicles,
}: ResultOf<typeof FleetDocument>): VariablesOf<typeof FleetDocument> | null =>
  vehicles?.pageInfo.hasNextPage ? { first: 50, after: vehicles.pageInfo.endCursor } : null

export const kilometers = ({ vehicles }: ResultOf<typeof FleetDocument>): number =>
  (vehicles?.nodes ?? [])
    .flatMap(({ trips }) => useFragment(TripRowFragmentDoc, trips?.nodes ?? []))
    .reduce((sum, { distance }) => sum + (distance ?? 0), 0)

const fuels: Record<FuelType, string> = {
  GASOLINE: 'gasoline',
  DIESEL: 'diesel',
  PROPANE: 'propane',
  ELECTRIC: 'electricity',
  HYBRID_GASOLINE: 'gasoline and electricity',
  HYBRID_DIESEL: 'diesel and electricity',
}

export function label(masked: FragmentType<typeof VehicleRowFragmentDoc>): string {
  const { name, vin, fuelType, latestLocation } = useFragment(VehicleRowFragmentDoc, masked)
  const place = latestLocation?.address?.formatted ?? 'nowhere yet'
  return `${name ?? vin ?? 'a vehicle'} on ${fuelType ? fuels[fuelType] : 'unknown fuel'}, ${place}`
}

export const place = ({
  vehicleLocations,
}: ResultOf<typeof PositionsDocument>): readonly [number, number] => [
  vehicleLocations.location.longitude,
  vehicleLocations.location.latitude,
]

export const isDriver = (
  node: NonNullable<ResultOf<typeof DriverDocument>['node']>,
): node is Extract<typeof node, { safetyEvents: unknown }> => 'safetyEvents' in node

/** Members that only one type has distinguish the types of the interface. */
export const fault = (
  event: NonNullable<ResultOf<typeof MaintenanceDocument>['faultCodeEvents']>['nodes'][number],
): string => {
  if ('j1939' in event) return `SPN ${event.j1939.spn} FMI ${event.j1939.fmi ?? '?'}`
  return event.obdii.code ?? event.code
}

export const quarter: VariablesOf<typeof ComplianceDocument> = { startMonth: '2026-01', endMonth: '2026-03' }

export const relabel: VariablesOf<typeof RelabelConnectionDocument> = { input: { tags: ['north'] } }

// @ts-expect-error -- a page needs its size
export const withoutSize: VariablesOf<typeof FleetDocument> = {}

// @ts-expect-error -- enums are closed
export const unknownFuel: FuelType = 'STEAM'
