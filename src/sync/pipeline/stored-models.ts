import type {
  NormalizedDevice,
  NormalizedDriver,
  NormalizedRecords,
  NormalizedFaultCodeEvent,
  NormalizedGroup,
  NormalizedHosDailyLog,
  NormalizedHosLog,
  NormalizedIftaMonth,
  NormalizedJ1939,
  NormalizedSafetyEvent,
  NormalizedTrailer,
  NormalizedTrip,
  NormalizedUtilizationDay,
  NormalizedVehicle,
} from '../../providers/normalized-records.ts'
import type { Kind } from '../../domain/ids.ts'
import type { ResolveId } from '../ingest/resolve-ids.ts'
import { isTimeSeries } from '../ingest/time-series-store.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Instant } from '../../domain/time.ts'
import { type Table, tableOf } from '../../storage/sql/table.ts'
import type { ProviderRecord } from '../../subgraphs/tables/provider-record.ts'
import { Device } from '../../subgraphs/fleet/device.ts'
import { Driver } from '../../subgraphs/fleet/driver.ts'
import { Group } from '../../subgraphs/fleet/group.ts'
import { Trailer } from '../../subgraphs/fleet/trailer.ts'
import { Vehicle } from '../../subgraphs/fleet/vehicle.ts'
import { FaultCodeEvent } from '../../subgraphs/records/fault-code-event.ts'
import { HosDailyLog } from '../../subgraphs/records/hos/hos-daily-log.ts'
import { HosLog } from '../../subgraphs/records/hos/hos-log.ts'
import { IftaVehicleMonth } from '../../subgraphs/records/totals/ifta-summary.ts'
import { SafetyEvent } from '../../subgraphs/records/safety/safety-event.ts'
import { Trip } from '../../subgraphs/records/trip.ts'
import { DailyUtilization } from '../../subgraphs/records/totals/daily-utilization.ts'
import type { SnapshotName } from './event-snapshots.ts'

/** Models with one row for each record. Time series are stored by vehicle and time instead. */
export type RowModel = Exclude<SyncedModel, 'VehicleLocation' | 'VehicleStatLog'>

/** Members that the normalized records of every row model have. */
export interface NormalizedRecord {
  readonly sourceId: string
  readonly deletedAt?: Instant | null
}

export interface StoredModel<Normalized> {
  readonly kind: Kind
  readonly table: Table<ProviderRecord>
  /** Maps a normalized record to the columns of its row. A change of any of them is a modification. */
  content(normalized: Normalized, resolveId: ResolveId): Readonly<Record<string, unknown>>
  /** Prefix of the event types, name of the record in the event detail, and kinds of changes with events. */
  readonly events?: {
    readonly prefix: string
    readonly name: SnapshotName
    readonly emittedKinds: readonly ChangeKind[]
  }
}

export type ChangeKind = 'added' | 'modified' | 'removed'

const groupIds = (sourceIds: readonly string[], resolveId: ResolveId) =>
  sourceIds.map((id) => resolveId('group', id))

export const storedModels: { readonly [M in RowModel]: StoredModel<NormalizedRecords[M]> } = {
  Group: {
    kind: 'group',
    table: tableOf(Group),
    content: ({ name, description, parentSourceId, createdAt, updatedAt }: NormalizedGroup, resolveId) => ({
      name,
      description,
      parentId: resolveId('group', parentSourceId),
      createdAt,
      updatedAt,
    }),
  },
  Driver: {
    kind: 'driver',
    table: tableOf(Driver),
    content: (
      { license, groupSourceIds, sourceId: _, deletedAt: __, ...fields }: NormalizedDriver,
      resolveId,
    ) => ({
      ...fields,
      licenseState: license?.state ?? null,
      licenseNumber: license?.number ?? null,
      groupIds: groupIds(groupSourceIds, resolveId),
    }),
    events: { prefix: 'driver', name: 'driver', emittedKinds: ['added', 'modified', 'removed'] },
  },
  Vehicle: {
    kind: 'vehicle',
    table: tableOf(Vehicle),
    content: (normalized: NormalizedVehicle, resolveId) => {
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
        groupIds: groupIds(groupSourceIds, resolveId),
        fuelTankCapacity: fuelTankCapacityLiters,
        fuelEfficiency: fuelEfficiencyLitersPer100Kilometers,
      }
    },
    events: { prefix: 'vehicle', name: 'vehicle', emittedKinds: ['added', 'modified', 'removed'] },
  },
  Trailer: {
    kind: 'trailer',
    table: tableOf(Trailer),
    content: (
      { licensePlate, groupSourceIds, sourceId: _, deletedAt: __, ...fields }: NormalizedTrailer,
      resolveId,
    ) => ({
      ...fields,
      licensePlateState: licensePlate?.state ?? null,
      licensePlateNumber: licensePlate?.number ?? null,
      groupIds: groupIds(groupSourceIds, resolveId),
    }),
  },
  Device: {
    kind: 'device',
    table: tableOf(Device),
    content: ({ vehicleSourceId, sourceId: _, deletedAt: __, ...fields }: NormalizedDevice, resolveId) => ({
      ...fields,
      vehicleId: resolveId('vehicle', vehicleSourceId),
    }),
  },
  Trip: {
    kind: 'trip',
    table: tableOf(Trip),
    content: (normalized: NormalizedTrip, resolveId) => ({
      vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
      driverId: resolveId('driver', normalized.driverSourceId),
      startedAt: normalized.startedAt,
      endedAt: normalized.endedAt,
      ...columnsOf('start', normalized.startLocation),
      ...columnsOf('end', normalized.endLocation),
      distance: normalized.distanceKilometers,
      duration: normalized.durationMilliseconds,
    }),
  },
  SafetyEvent: {
    kind: 'safetyEvent',
    table: tableOf(SafetyEvent),
    content: (normalized: NormalizedSafetyEvent, resolveId) => ({
      type: normalized.type,
      vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
      driverId: resolveId('driver', normalized.driverSourceId),
      startedAt: normalized.startedAt,
      endedAt: normalized.endedAt,
      ...columnsOf('start', normalized.startLocation),
      ...columnsOf('end', normalized.endLocation),
      frontCamera: normalized.frontCamera,
      rearCamera: normalized.rearCamera,
      extensions: normalized.extensions,
      sourceType: normalized.sourceType,
      maximumSpeed: normalized.maximumSpeedKph,
      averageSpeed: normalized.averageSpeedKph,
      roadSpeedLimit: normalized.roadSpeedLimitKph,
      gForceForwardBackward: normalized.gForceForwardBackward,
      gForceSideToSide: normalized.gForceSideToSide,
      heading: normalized.headingDegrees,
    }),
    events: { prefix: 'safety', name: 'safetyEvent', emittedKinds: ['added', 'modified'] },
  },
  FaultCodeEvent: {
    kind: 'faultCodeEvent',
    table: tableOf(FaultCodeEvent),
    content: (normalized: NormalizedFaultCodeEvent, resolveId) => ({
      protocol: normalized.protocol,
      vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
      status: normalized.status,
      code: normalized.code,
      description: normalized.description,
      observedAt: normalized.observedAt,
      milStatus: normalized.milStatus,
      ...(normalized.protocol === 'j1939' ? j1939Columns(normalized) : {}),
    }),
  },
  HOSLog: {
    kind: 'hosLog',
    table: tableOf(HosLog),
    content: (normalized: NormalizedHosLog, resolveId) => ({
      status: normalized.status,
      driverId: resolveId('driver', normalized.driverSourceId),
      vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
      codriverIds: normalized.codriverSourceIds.map((id) => resolveId('driver', id)),
      startedAt: normalized.startedAt,
      endedAt: normalized.endedAt,
      longitude: normalized.location?.longitude ?? null,
      latitude: normalized.location?.latitude ?? null,
      remarks: normalized.remarks,
    }),
  },
  HOSDailyLog: {
    kind: 'hosDailyLog',
    table: tableOf(HosDailyLog),
    content: (normalized: NormalizedHosDailyLog, resolveId) => ({
      driverId: resolveId('driver', normalized.driverSourceId),
      date: normalized.date,
      onDuty: normalized.onDutyMilliseconds,
      offDuty: normalized.offDutyMilliseconds,
      driving: normalized.drivingMilliseconds,
      waiting: normalized.waitingMilliseconds,
      sleeperBed: normalized.sleeperBedMilliseconds,
      personalConveyance: normalized.personalConveyanceMilliseconds,
      yardMove: normalized.yardMoveMilliseconds,
      totalDistance: normalized.totalKilometers,
      drivingDistance: normalized.drivingKilometers,
      personalConveyanceDistance: normalized.personalConveyanceKilometers,
      yardMoveDistance: normalized.yardMoveKilometers,
    }),
  },
  VehicleUtilization: {
    kind: 'vehicleDay',
    table: tableOf(DailyUtilization),
    content: (normalized: NormalizedUtilizationDay, resolveId) => ({
      vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
      date: normalized.date,
      distance: normalized.distanceKilometers,
      fuelConsumed: normalized.fuelConsumedLiters,
      driving: normalized.drivingMilliseconds,
      idling: normalized.idlingMilliseconds,
    }),
  },
  IFTASummary: {
    kind: 'iftaReport',
    table: tableOf(IftaVehicleMonth),
    content: (normalized: NormalizedIftaMonth, resolveId) => ({
      vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
      month: normalized.month,
      jurisdiction: normalized.jurisdiction ?? '',
      distance: normalized.distanceKilometers,
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
}: NormalizedJ1939) => ({
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

/** Returns the storage of a row model. Throws for a time series. */
export const rowModel = (model: SyncedModel): StoredModel<NormalizedRecord> => {
  if (isTimeSeries(model)) throw new Error('a time series has no row model')
  return storedModels[model]
}
