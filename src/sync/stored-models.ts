import type {
  DeviceDraft,
  DriverDraft,
  Drafts,
  GroupDraft,
  SafetyEventDraft,
  TripDraft,
  VehicleDraft,
} from '../providers/drafts.ts'
import { derivedId, type Id, type Kind } from '../ids.ts'
import type { SyncedModel } from '../models.ts'
import { type Table, tableOf } from '../storage/table.ts'
import type { Sourced } from '../subgraphs/sourced.ts'
import { Device } from '../subgraphs/fleet/device.ts'
import { Driver } from '../subgraphs/fleet/driver.ts'
import { Group } from '../subgraphs/fleet/group.ts'
import { Vehicle } from '../subgraphs/fleet/vehicle.ts'
import { SafetyEvent } from '../subgraphs/records/safety-event.ts'
import { Trip } from '../subgraphs/records/trip.ts'

/** The models that are stored row by row; a track is a series and is stored otherwise. */
export type RowModel = Exclude<SyncedModel, 'VehicleLocation'>

/** Turns what a provider calls a record into our id of it. */
export type Refer = <K extends Kind>(kind: K, sourceId: string | null) => Id<K> | null

export interface StoredModel<Draft> {
  readonly kind: Kind
  readonly table: Table<Sourced>
  /** A draft as the columns of its row; a change of any of them is a modification. */
  content(draft: Draft, refer: Refer): Readonly<Record<string, unknown>>
  /** Which events tell of its changes, and what the detail calls the record. */
  readonly events?: { readonly prefix: string; readonly name: string; readonly told: readonly ChangeKind[] }
}

export type ChangeKind = 'added' | 'modified' | 'removed'

const rows = <Row extends Sourced>(entity: new () => Row) => tableOf(entity) as unknown as Table<Sourced>

export const referring =
  (connectionId: Id<'connection'>): Refer =>
  (kind, sourceId) =>
    sourceId === null ? null : derivedId(kind, connectionId, sourceId)

const groupIds = (sourceIds: readonly string[], refer: Refer) => sourceIds.map((id) => refer('group', id))

export const storedModels: { readonly [M in RowModel]: StoredModel<Drafts[M]> } = {
  Group: {
    kind: 'group',
    table: rows(Group),
    content: ({ name, description, parentSourceId, createdAt, updatedAt }: GroupDraft, refer) => ({
      name,
      description,
      parentId: refer('group', parentSourceId),
      createdAt,
      updatedAt,
    }),
  },
  Driver: {
    kind: 'driver',
    table: rows(Driver),
    content: ({ license, groupSourceIds, sourceId: _, ...told }: DriverDraft, refer) => ({
      ...told,
      licenseState: license?.state ?? null,
      licenseNumber: license?.number ?? null,
      groupIds: groupIds(groupSourceIds, refer),
    }),
    events: { prefix: 'driver', name: 'driver', told: ['added', 'modified', 'removed'] },
  },
  Vehicle: {
    kind: 'vehicle',
    table: rows(Vehicle),
    content: (draft: VehicleDraft, refer) => {
      const { licensePlate, groupSourceIds, fuelTankCapacityLiters, sourceId: _, ...told } = draft
      return {
        ...told,
        licensePlateState: licensePlate?.state ?? null,
        licensePlateNumber: licensePlate?.number ?? null,
        groupIds: groupIds(groupSourceIds, refer),
        fuelTankCapacity: fuelTankCapacityLiters,
        fuelEfficiency: null,
      }
    },
    events: { prefix: 'vehicle', name: 'vehicle', told: ['added', 'modified', 'removed'] },
  },
  Device: {
    kind: 'device',
    table: rows(Device),
    content: ({ vehicleSourceId, sourceId: _, ...told }: DeviceDraft, refer) => ({
      ...told,
      vehicleId: refer('vehicle', vehicleSourceId),
    }),
  },
  Trip: {
    kind: 'trip',
    table: rows(Trip),
    content: (draft: TripDraft, refer) => ({
      vehicleId: refer('vehicle', draft.vehicleSourceId),
      driverId: refer('driver', draft.driverSourceId),
      startedAt: draft.startedAt,
      endedAt: draft.endedAt,
      ...columnsOf('start', draft.startLocation),
      ...columnsOf('end', draft.endLocation),
      distance: draft.distanceKilometers,
      duration: draft.durationMilliseconds,
    }),
  },
  SafetyEvent: {
    kind: 'safetyEvent',
    table: rows(SafetyEvent),
    content: (draft: SafetyEventDraft, refer) => ({
      type: draft.type,
      vehicleId: refer('vehicle', draft.vehicleSourceId),
      driverId: refer('driver', draft.driverSourceId),
      startedAt: draft.startedAt,
      endedAt: draft.endedAt,
      ...columnsOf('start', draft.startLocation),
      sourceType: draft.sourceType,
      maximumSpeed: draft.maximumSpeedKph,
      averageSpeed: draft.averageSpeedKph,
      roadSpeedLimit: draft.roadSpeedLimitKph,
      gForceForwardBackward: draft.gForceForwardBackward,
      gForceSideToSide: draft.gForceSideToSide,
      heading: draft.headingDegrees,
    }),
    events: { prefix: 'safety', name: 'safetyEvent', told: ['added', 'modified'] },
  },
}

const columnsOf = (end: 'start' | 'end', point: { longitude: number; latitude: number } | null) => ({
  [`${end}Longitude`]: point?.longitude ?? null,
  [`${end}Latitude`]: point?.latitude ?? null,
})
