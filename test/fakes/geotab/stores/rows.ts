import type { Ms } from '../../world/truth.ts'

/** Rows of four numbers, in order of arrival, as columns: this saves memory. */
export class Rows {
  private readonly arrivals: number[] = []
  private readonly vehicles: number[] = []
  private readonly times: number[] = []
  private readonly kinds: number[] = []

  get length(): number {
    return this.times.length
  }

  push(arrivedAt: Ms, vehicle: number, at: Ms, kind: number): void {
    this.arrivals.push(arrivedAt)
    this.vehicles.push(vehicle)
    this.times.push(at)
    this.kinds.push(kind)
  }

  at(index: number) {
    return {
      vehicle: this.vehicles[index] as number,
      at: this.times[index] as number,
      kind: this.kinds[index] as number,
    }
  }

  /** Sorts rows and appends them. All must be later than the existing ones. */
  append(added: Rows): void {
    const order = Uint32Array.from({ length: added.length }, (_, index) => index)
    order.sort((one, other) => added.order(one, other))
    for (const index of order) {
      const { arrivals, vehicles, times, kinds } = added
      this.push(
        arrivals[index] as number,
        vehicles[index] as number,
        times[index] as number,
        kinds[index] as number,
      )
    }
  }

  /** Returns the index of a row, or its insertion point. */
  indexOf(arrivedAt: Ms, vehicle: number, at: Ms, kind: number): number {
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.compare(middle, arrivedAt, vehicle, at, kind) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private order(one: number, other: number): number {
    return this.compare(
      one,
      this.arrivals[other] as number,
      this.vehicles[other] as number,
      this.times[other] as number,
      this.kinds[other] as number,
    )
  }

  private compare(index: number, arrivedAt: Ms, vehicle: number, at: Ms, kind: number): number {
    return (
      (this.arrivals[index] as number) - arrivedAt ||
      (this.vehicles[index] as number) - vehicle ||
      (this.times[index] as number) - at ||
      (this.kinds[index] as number) - kind
    )
  }
}
