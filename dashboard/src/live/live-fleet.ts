import { type LinkState, query, SignedOut, subscribe } from '../api/client.ts'
import {
  FleetConnectionsDocument,
  FleetGroupsDocument,
  FleetVehiclesDocument,
  LivePositionsDocument,
} from '../api/generated/graphql.ts'
import { nodesOfPages } from '../api/pages.ts'
import {
  type Connection,
  type Group,
  type LiveVehicle,
  liveVehicle,
  type Position,
  type Vehicle,
} from './live-vehicle.ts'

/** What the live map shows at one moment. */
export interface FleetView {
  readonly vehicles: readonly LiveVehicle[]
  readonly connections: readonly Connection[]
  readonly groups: readonly Group[]
  /** Whether the lists have been read. */
  readonly isLoaded: boolean
  readonly link: LinkState
  /** Why something could not be read. */
  readonly problem: string | null
}

/** Views follow each other at this interval, however many positions arrive. */
const VIEW_INTERVAL_MS = 500
/** States also change without a report, because positions grow old. */
const AGING_INTERVAL_MS = 30_000
/** A position of an unknown vehicle leads to another read of the lists, at most this often. */
const REREAD_INTERVAL_MS = 10_000

const EMPTY: FleetView = {
  vehicles: [],
  connections: [],
  groups: [],
  isLoaded: false,
  link: 'connecting',
  problem: null,
}

/**
 * The vehicles of all connections with their latest positions. It reads the lists once, and follows the positions by one
 * subscription, which sends the stored positions first: a break leaves no gap.
 */
export class LiveFleet {
  private view = EMPTY
  private readonly vehicles = new Map<string, Vehicle>()
  private readonly positions = new Map<string, Position>()
  private readonly live = new Map<string, LiveVehicle>()
  private readonly changed = new Set<string>()
  private readonly listeners = new Set<() => void>()
  private readonly timers: ReturnType<typeof setInterval>[] = []
  private unsubscribe: () => void = () => undefined
  private rereadAt = 0
  private hasBeenLive = false
  /** Whether a position of a vehicle came that the lists do not have. */
  private hasUnknown = false
  private hasStopped = false

  /** `onSignedOut` is called when the session has ended. */
  constructor(private readonly onSignedOut: () => void) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly current = (): FleetView => this.view

  start(): void {
    this.hasStopped = false
    this.unsubscribe = subscribe(LivePositionsDocument, {
      next: ({ vehicleLocations }) => this.receive(vehicleLocations),
      state: (link) => this.changeLink(link),
      error: (problem) => this.show({ problem }),
    })
    this.timers.push(
      setInterval(() => this.refresh(), VIEW_INTERVAL_MS),
      setInterval(() => this.age(), AGING_INTERVAL_MS),
    )
    void this.readLists()
  }

  stop(): void {
    this.hasStopped = true
    this.unsubscribe()
    for (const timer of this.timers.splice(0)) clearInterval(timer)
  }

  /** Reads the lists again, for example after a failure. Each is shown on its own: a person may not read all of them. */
  async readLists(): Promise<void> {
    this.rereadAt = Date.now() + REREAD_INTERVAL_MS
    this.show({ problem: null })
    await Promise.all([
      this.attempt(async () => this.replaceVehicles(await nodesOfPages(readVehicles))),
      this.attempt(async () => this.show({ connections: await nodesOfPages(readConnections) })),
      this.attempt(async () => this.show({ groups: await nodesOfPages(readGroups) })),
    ])
  }

  private async attempt(read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      if (this.hasStopped) return
      if (error instanceof SignedOut) this.onSignedOut()
      else this.show({ problem: error instanceof Error ? error.message : String(error) })
    }
  }

  private replaceVehicles(vehicles: readonly Vehicle[]): void {
    this.vehicles.clear()
    this.live.clear()
    for (const vehicle of vehicles) {
      this.vehicles.set(vehicle.id, vehicle)
      this.changed.add(vehicle.id)
    }
    this.show({ isLoaded: true, ...(vehicles.length === 0 && { vehicles: [] }) })
    this.refresh()
  }

  /** Reads the lists again after a break, because vehicles may have come and gone meanwhile. */
  private changeLink(link: LinkState): void {
    if (link === 'signed-out') return this.onSignedOut()
    if (link !== 'live') return this.show({ link })
    const isAfterBreak = this.hasBeenLive
    this.hasBeenLive = true
    this.show({ link })
    if (isAfterBreak) void this.readLists()
  }

  private receive(position: Position): void {
    const id = position.vehicle?.id
    if (id === undefined) return
    const known = this.positions.get(id)
    if (known && known.locatedAt > position.locatedAt) return
    this.positions.set(id, position)
    this.changed.add(id)
  }

  private age(): void {
    for (const id of this.vehicles.keys()) this.changed.add(id)
  }

  /** Shows what has arrived since the last view. */
  private refresh(): void {
    const now = Date.now()
    if (this.hasUnknown && this.view.isLoaded && now > this.rereadAt) {
      this.hasUnknown = false
      void this.readLists()
    }
    if (this.changed.size === 0) return
    for (const id of this.changed) {
      const vehicle = this.vehicles.get(id)
      if (vehicle) this.live.set(id, liveVehicle(vehicle, this.positions.get(id) ?? null, now))
      else this.hasUnknown = true
    }
    this.changed.clear()
    this.show({ vehicles: [...this.live.values()] })
  }

  private show(changes: Partial<FleetView>): void {
    this.view = { ...this.view, ...changes }
    for (const listener of this.listeners) listener()
  }
}

const readVehicles = async (after: string | null) => (await query(FleetVehiclesDocument, { after })).vehicles
const readConnections = async (after: string | null) =>
  (await query(FleetConnectionsDocument, { after })).connections
const readGroups = async (after: string | null) => (await query(FleetGroupsDocument, { after })).groups
