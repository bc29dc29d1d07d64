export interface WatermarkStep {
  readonly position: number
  isSettled: boolean
}

/** Number of settled steps after which they are removed from the array. */
const MAX_SETTLED = 1000

/**
 * Acknowledged log position of an endpoint: every event up to it has a recorded result or needs none.
 */
export class AckWatermark {
  private readonly steps: WatermarkStep[] = []
  private settledCount = 0

  /** `reached` is the acknowledged position; `readPosition` is the position up to which the log was read. */
  constructor(
    private reached: number,
    public readPosition = reached,
  ) {}

  /** Adds the positions of messages in log order. The log was read up to `through`. */
  extend(positions: readonly number[], through: number): WatermarkStep[] {
    const steps = positions.map((position) => ({ position, isSettled: false }))
    this.steps.push(...steps)
    this.readPosition = through
    return steps
  }

  /** The acknowledged position. */
  get position(): number {
    while (this.settledCount < this.steps.length && this.steps[this.settledCount]?.isSettled)
      this.reached = (this.steps[this.settledCount++] as WatermarkStep).position
    if (this.settledCount === this.steps.length) this.reached = this.readPosition
    if (this.settledCount > MAX_SETTLED) {
      this.steps.splice(0, this.settledCount)
      this.settledCount = 0
    }
    return this.reached
  }
}
