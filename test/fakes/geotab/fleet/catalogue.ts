import { type Happenings, TimedRecordStore } from '../ledger/timed-record-store.ts'
import { PointStore } from '../ledger/point-store.ts'
import type { EntityStore } from '../ledger/entity-store.ts'
import { type Listed, SnapshotShelf } from '../ledger/snapshots.ts'
import type { Ms } from '../../world/truth.ts'
import { DeviceStatusInfos } from '../records/device-status-info.ts'
import { devices } from '../records/device.ts'
import { allFailureModes, controllers, diagnostics } from '../records/diagnostics.ts'
import { driverChangeEmissions } from '../records/driver-change.ts'
import { annotationEmissions, dutyEmissions } from '../records/duty-status-log.ts'
import { exceptionEmissions } from '../records/exception-event.ts'
import { faultEmissions } from '../records/fault-data.ts'
import type { Fleet } from './fleet.ts'
import { FuelTaxDetails } from '../records/fuel-tax-detail.ts'
import { kindsOfLogRecord, toLogRecord } from '../records/log-record.ts'
import { mediaEmissions } from '../records/media-file.ts'
import { kindsOfStatusData, toStatusData } from '../records/status-data.ts'
import { trailers } from '../records/trailer.ts'
import { rules } from '../records/rules.ts'
import { tripEmissions } from '../records/trip.ts'
import { groups, users } from '../records/user.ts'

/** A shelf that follows the clock. */
type Followed = EntityStore & { bringTo(now: Ms): void }

export interface Kind {
  readonly open: (fleet: Fleet) => Followed
  /** Null for a type without a feed. */
  readonly feedLimit: number | null
  readonly getLimit: number
  /** Results above the limit are silently truncated, or refused. */
  readonly beyond: 'cut' | 'refused'
  readonly canSortById: boolean
  /** Time that searches use. */
  readonly time: 'dateTime' | 'stop' | 'active' | 'film' | 'none'
}

const MOST = 50_000

const roster = (list: (fleet: Fleet) => readonly Listed[], feedLimit: number | null): Kind => ({
  open: (fleet) => new SnapshotShelf(() => list(fleet)),
  feedLimit,
  getLimit: 5_000,
  beyond: 'cut',
  canSortById: true,
  time: 'none',
})

type Emitted = (fleet: Fleet, ...times: Parameters<Happenings>) => ReturnType<Happenings>

const events = (emissions: Emitted, kind: Partial<Kind> = {}): Kind => ({
  open: (fleet) => new TimedRecordStore((since, until) => emissions(fleet, since, until)),
  feedLimit: MOST,
  getLimit: MOST,
  beyond: 'refused',
  canSortById: true,
  time: 'dateTime',
  ...kind,
})

const points = (
  shape: (fleet: Fleet) => Pick<ConstructorParameters<typeof PointStore>[0], 'kinds' | 'toEntity'>,
): Kind => ({
  ...events(() => []),
  open: (fleet) =>
    new PointStore({
      ...shape(fleet),
      vehicles: () => fleet.vehicleNumbers(),
      book: fleet.book,
      vehicleOf: (id) => fleet.vehicleOf(id),
    }),
})

export const catalogue: Readonly<Record<string, Kind>> = {
  Device: roster(devices, 5_000),
  User: roster(users, 5_000),
  Group: roster(groups, null),
  Trailer: roster(trailers, MOST),
  Rule: roster(rules, 10_000),
  Diagnostic: { ...roster(diagnostics, MOST), getLimit: MOST },
  FailureMode: roster(allFailureModes, null),
  Controller: roster(controllers, null),
  DeviceStatusInfo: {
    ...roster(() => [], MOST),
    open: (fleet) => new DeviceStatusInfos(fleet),
    getLimit: MOST,
  },
  FuelTaxDetail: {
    ...events(() => [], { time: 'none', feedLimit: 10_000, getLimit: 10_000 }),
    open: (fleet) => new FuelTaxDetails(fleet),
  },
  Trip: events(tripEmissions, { time: 'stop' }),
  ExceptionEvent: events(exceptionEmissions, {
    time: 'active',
    getLimit: 5_000,
    beyond: 'cut',
    canSortById: false,
  }),
  FaultData: events(faultEmissions),
  DutyStatusLog: events(dutyEmissions),
  AnnotationLog: events(annotationEmissions),
  DriverChange: events(driverChangeEmissions),
  MediaFile: events(mediaEmissions, { time: 'film', feedLimit: 10_000, getLimit: 10_000 }),
  LogRecord: points((fleet) => ({ kinds: kindsOfLogRecord(fleet), toEntity: toLogRecord })),
  StatusData: points((fleet) => ({
    kinds: kindsOfStatusData(fleet),
    toEntity: (...reported) => toStatusData(fleet, ...reported),
  })),
}

/** Data of one database by type; updated on each request. */
export class Knowledge {
  private readonly shelves = new Map<string, Followed>()

  constructor(private readonly fleet: Fleet) {}

  of(typeName: string, kind: Kind): EntityStore {
    const { now } = this.fleet.world
    const shelf = this.shelves.get(typeName) ?? kind.open(this.fleet)
    this.shelves.set(typeName, shelf)
    shelf.bringTo(now)
    return shelf
  }

  /** Rebuilds the data after a change of switches. */
  forget(): void {
    this.shelves.clear()
  }
}
