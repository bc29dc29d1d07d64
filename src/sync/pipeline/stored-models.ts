import type { Owner, ResolveSourceId } from '../../domain/models/define-model.ts'
import type { Kind } from '../../domain/ids.ts'
import {
  modelNamed,
  type NormalizedRecords,
  type RowModel,
  type SyncedModel,
} from '../../domain/record-models.ts'
import { isTimeSeries } from '../ingest/time-series-store.ts'
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

/** Members that the normalized records of every row model have. */
export interface NormalizedRecord {
  readonly sourceId: string
  readonly deletedAt?: Instant | null
}

/** How the records of a row model are stored: one row of `table` for each record. */
export interface StoredModel<Normalized> {
  readonly kind: Kind
  /** Kind of the record that each row belongs to, such as the vehicle of a trip. */
  readonly owner?: Owner
  readonly entity: abstract new () => ProviderRecord
  readonly table: Table<ProviderRecord>
  /** Maps a normalized record to the columns of its row. A change of any of them is a modification. */
  columns(normalized: Normalized, resolveId: ResolveSourceId): Readonly<Record<string, unknown>>
  /** Prefix of the event types, name of the record in the event detail, and kinds of changes with events. */
  readonly events?: {
    readonly prefix: string
    readonly member: string
    readonly types: Readonly<Partial<Record<ChangeKind, object>>>
  }
}

/** Row of a vehicle or driver. */
export type ListedRow = ProviderRecord & { readonly status: string }

export type ChangeKind = 'added' | 'modified' | 'removed'

function declareStorage<Normalized>(
  name: RowModel,
  entity: abstract new () => ProviderRecord,
): StoredModel<Normalized> {
  const { id, columns, events, owner } = modelNamed(name)
  if (!id || !columns) throw new Error(`the model ${name} declares no id or no columns, so it has no rows`)
  return {
    kind: id.kind,
    entity,
    table: tableOf(entity),
    columns: columns as StoredModel<Normalized>['columns'],
    ...(owner ? { owner } : {}),
    ...(events ? { events } : {}),
  }
}

export const storedModels: { readonly [M in RowModel]: StoredModel<NormalizedRecords[M]> } = {
  Group: declareStorage('Group', Group),
  Driver: declareStorage('Driver', Driver),
  Vehicle: declareStorage('Vehicle', Vehicle),
  Trailer: declareStorage('Trailer', Trailer),
  Device: declareStorage('Device', Device),
  Trip: declareStorage('Trip', Trip),
  SafetyEvent: declareStorage('SafetyEvent', SafetyEvent),
  FaultCodeEvent: declareStorage('FaultCodeEvent', FaultCodeEvent),
  HOSLog: declareStorage('HOSLog', HosLog),
  HOSDailyLog: declareStorage('HOSDailyLog', HosDailyLog),
  VehicleUtilization: declareStorage('VehicleUtilization', DailyUtilization),
  IFTASummary: declareStorage('IFTASummary', IftaVehicleMonth),
}

/** Returns how a row model is stored. Throws for a time series: its points have no row model. */
export const storedModelOf = (model: SyncedModel): StoredModel<NormalizedRecord> => {
  if (isTimeSeries(model)) throw new Error(`${model} is a time series and no row model`)
  return storedModels[model]
}
