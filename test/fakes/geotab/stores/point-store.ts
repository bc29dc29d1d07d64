import type { Ms } from '../../world/truth.ts'
import type { Entity } from '../formats.ts'
import type { Point, PointIndex } from './point-index.ts'
import { Rows } from './rows.ts'
import { FIRST_VERSION, type Search, type EntityStore } from './entity-store.ts'

export interface PointSource {
  readonly vehicles: () => readonly number[]
  readonly points: PointIndex
  /** Returns the kinds of records that a point has. */
  readonly kinds: (vehicle: number, point: Point) => readonly number[]
  readonly toEntity: (vehicle: number, point: Point, kind: number, version: number) => Entity
  readonly vehicleOf: (deviceId: string) => number | null
}

/** Store for millions of records. It keeps a row for each, and computes the content on demand. */
export class PointStore implements EntityStore {
  private readonly rows = new Rows()
  private until: Ms = -Infinity

  constructor(private readonly source: PointSource) {}

  updateTo(now: Ms): void {
    if (now <= this.until) return
    const { points: book, vehicles, kinds } = this.source
    book.updateTo(now, vehicles())
    const added = new Rows()
    for (const vehicle of vehicles())
      for (const point of book.of(vehicle))
        if (point.arrivedAt > this.until)
          for (const kind of kinds(vehicle, point)) added.push(point.arrivedAt, vehicle, point.at, kind)
    this.rows.append(added)
    this.until = now
  }

  get head(): number {
    return FIRST_VERSION + this.rows.length - 1
  }

  before(at: Ms): number {
    return FIRST_VERSION + this.rows.indexOf(at, -1, -Infinity, 0) - 1
  }

  *after(version: number) {
    for (let index = Math.max(0, version + 1 - FIRST_VERSION); index < this.rows.length; index++) {
      const { vehicle, at, kind } = this.rows.at(index)
      const version = FIRST_VERSION + index
      yield {
        version,
        entity: this.source.toEntity(vehicle, this.source.points.find(vehicle, at), kind, version),
      }
    }
  }

  *all({ device, from = -Infinity, to = Infinity }: Search): Iterable<Entity> {
    const { points: book, kinds, toEntity, vehicles, vehicleOf } = this.source
    const requested = device === undefined ? vehicles() : [vehicleOf(device) ?? -1]
    for (const vehicle of requested)
      for (const point of book.between(vehicle, from, to))
        for (const kind of kinds(vehicle, point)) {
          const version = FIRST_VERSION + this.rows.indexOf(point.arrivedAt, vehicle, point.at, kind)
          yield toEntity(vehicle, point, kind, version)
        }
  }
}
