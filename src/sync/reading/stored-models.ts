import type {
  DeviceDraft,
  DriverDraft,
  Drafts,
  FaultCodeEventDraft,
  GroupDraft,
  HosDailyLogDraft,
  HosLogDraft,
  IftaMonthDraft,
  J1939Draft,
  SafetyEventDraft,
  TrailerDraft,
  TripDraft,
  UtilizationDayDraft,
  VehicleDraft,
} from '../../providers/drafts.ts'
import type { Kind } from '../../ids.ts'
import type { Refer } from '../../intake/refer.ts'
import { isSeries } from '../../intake/series.ts'
import type { SyncedModel } from '../../models.ts'
import { type Table, tableOf } from '../../storage/table.ts'
import type { Sourced } from '../../subgraphs/sourced.ts'
import { Device } from '../../subgraphs/fleet/device.ts'
import { Driver } from '../../subgraphs/fleet/driver.ts'
import { Group } from '../../subgraphs/fleet/group.ts'
import { Trailer } from '../../subgraphs/fleet/trailer.ts'
import { Vehicle } from '../../subgraphs/fleet/vehicle.ts'
import { FaultCodeEvent } from '../../subgraphs/records/fault-code-event.ts'
import { HosDailyLog } from '../../subgraphs/records/hos-daily-log.ts'
import { HosLog } from '../../subgraphs/records/hos-log.ts'
import { IftaVehicleMonth } from '../../subgraphs/records/ifta-summary.ts'
import { SafetyEvent } from '../../subgraphs/records/safety-event.ts'
import { Trip } from '../../subgraphs/records/trip.ts'
import { VehicleDay } from '../../subgraphs/records/vehicle-day.ts'
import type { ToldName } from './told-records.ts'

/** The models that are stored row by row; series are stored otherwise. */
export type RowModel = Exclude<SyncedModel, 'VehicleLocation' | 'VehicleStatLog'>

export interface StoredModel<Draft> {
  readonly kind: Kind
  readonly table: Table<Sourced>
  /** A draft as the columns of its row; a change of any of them is a modification. */
  content(draft: Draft, refer: Refer): Readonly<Record<string, unknown>>
  /** Which events tell of its changes, and what the detail calls the record. */
  readonly events?: { readonly prefix: string; readonly name: ToldName; readonly told: readonly ChangeKind[] }
}

export type ChangeKind = 'added' | 'modified' | 'removed'

const rows = <Row extends Sourced>(entity: abstract new () => Row) =>
  tableOf(entity) as unknown as Table<Sourced>

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
    content: ({ license, groupSourceIds, sourceId: _, deletedAt: __, ...told }: DriverDraft, refer) => ({
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
      const {
        licensePlate,
        groupSourceIds,
        fuelTankCapacityLiters,
        fuelEfficiencyLitersPer100Kilometers = null,
        sourceId: _,
        deletedAt: __,
        ...told
      } = draft
      return {
        ...told,
        licensePlateState: licensePlate?.state ?? null,
        licensePlateNumber: licensePlate?.number ?? null,
        groupIds: groupIds(groupSourceIds, refer),
        fuelTankCapacity: fuelTankCapacityLiters,
        fuelEfficiency: fuelEfficiencyLitersPer100Kilometers,
      }
    },
    events: { prefix: 'vehicle', name: 'vehicle', told: ['added', 'modified', 'removed'] },
  },
  Trailer: {
    kind: 'trailer',
    table: rows(Trailer),
    content: (
      { licensePlate, groupSourceIds, sourceId: _, deletedAt: __, ...told }: TrailerDraft,
      refer,
    ) => ({
      ...told,
      licensePlateState: licensePlate?.state ?? null,
      licensePlateNumber: licensePlate?.number ?? null,
      groupIds: groupIds(groupSourceIds, refer),
    }),
  },
  Device: {
    kind: 'device',
    table: rows(Device),
    content: ({ vehicleSourceId, sourceId: _, deletedAt: __, ...told }: DeviceDraft, refer) => ({
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
      ...columnsOf('end', draft.endLocation),
      frontCamera: draft.frontCamera,
      rearCamera: draft.rearCamera,
      extensions: draft.extensions,
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
  FaultCodeEvent: {
    kind: 'faultCodeEvent',
    table: rows(FaultCodeEvent),
    content: (draft: FaultCodeEventDraft, refer) => ({
      protocol: draft.protocol,
      vehicleId: refer('vehicle', draft.vehicleSourceId),
      status: draft.status,
      code: draft.code,
      description: draft.description,
      observedAt: draft.observedAt,
      milStatus: draft.milStatus,
      ...(draft.protocol === 'j1939' ? j1939Columns(draft) : {}),
    }),
  },
  HOSLog: {
    kind: 'hosLog',
    table: rows(HosLog),
    content: (draft: HosLogDraft, refer) => ({
      status: draft.status,
      driverId: refer('driver', draft.driverSourceId),
      vehicleId: refer('vehicle', draft.vehicleSourceId),
      codriverIds: draft.codriverSourceIds.map((id) => refer('driver', id)),
      startedAt: draft.startedAt,
      endedAt: draft.endedAt,
      longitude: draft.location?.longitude ?? null,
      latitude: draft.location?.latitude ?? null,
      remarks: draft.remarks,
    }),
  },
  HOSDailyLog: {
    kind: 'hosDailyLog',
    table: rows(HosDailyLog),
    content: (draft: HosDailyLogDraft, refer) => ({
      driverId: refer('driver', draft.driverSourceId),
      date: draft.date,
      onDuty: draft.onDutyMilliseconds,
      offDuty: draft.offDutyMilliseconds,
      driving: draft.drivingMilliseconds,
      waiting: draft.waitingMilliseconds,
      sleeperBed: draft.sleeperBedMilliseconds,
      personalConveyance: draft.personalConveyanceMilliseconds,
      yardMove: draft.yardMoveMilliseconds,
      totalDistance: draft.totalKilometers,
      drivingDistance: draft.drivingKilometers,
      personalConveyanceDistance: draft.personalConveyanceKilometers,
      yardMoveDistance: draft.yardMoveKilometers,
    }),
  },
  VehicleUtilization: {
    kind: 'vehicleDay',
    table: rows(VehicleDay),
    content: (draft: UtilizationDayDraft, refer) => ({
      vehicleId: refer('vehicle', draft.vehicleSourceId),
      date: draft.date,
      distance: draft.distanceKilometers,
      fuelConsumed: draft.fuelConsumedLiters,
      driving: draft.drivingMilliseconds,
      idling: draft.idlingMilliseconds,
    }),
  },
  IFTASummary: {
    kind: 'iftaReport',
    table: rows(IftaVehicleMonth),
    content: (draft: IftaMonthDraft, refer) => ({
      vehicleId: refer('vehicle', draft.vehicleSourceId),
      month: draft.month,
      jurisdiction: draft.jurisdiction ?? '',
      distance: draft.distanceKilometers,
    }),
  },
}

const j1939Columns = ({
  spn,
  spnDescription,
  fmi,
  fmiDescription,
  occurrenceCount,
  sourceAddress,
}: J1939Draft) => ({
  spn,
  spnDescription,
  fmi,
  fmiDescription,
  occurrenceCount,
  sourceAddress,
})

const columnsOf = (end: 'start' | 'end', point: { longitude: number; latitude: number } | null) => ({
  [`${end}Longitude`]: point?.longitude ?? null,
  [`${end}Latitude`]: point?.latitude ?? null,
})

/** How a model is stored row by row. */
export const rowModel = (model: SyncedModel): StoredModel<{ sourceId: string }> => {
  if (isSeries(model)) throw new Error('a series is not stored by rows')
  return storedModels[model] as unknown as StoredModel<{ sourceId: string }>
}
