import { between, dice, pick } from '../world/random.ts'

const draw = dice('purchases of a vehicle')

/** Random numbers of one subject, in a fixed order. The same seed and subject give the same numbers. */
export class Draws {
  private count = 0
  private readonly seed: number
  private readonly subject: number

  constructor(seed: number, subject: number) {
    this.seed = seed
    this.subject = subject
  }

  /** Returns a number in [0, 1). */
  next(): number {
    return draw(this.seed, this.subject, this.count++)
  }

  between(low: number, high: number): number {
    return between(low, high, this.next())
  }

  /** Returns a number whose logarithm is evenly distributed. */
  magnitude(low: number, high: number): number {
    return low * (high / low) ** this.next()
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Value>(values: readonly Value[]): Value {
    return pick(values, this.next())
  }
}
