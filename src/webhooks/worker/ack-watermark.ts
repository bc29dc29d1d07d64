export interface WatermarkStep {
  readonly position: number
  isSettled: boolean
}

const MAX_SETTLED = 1000

/** How far an endpoint has been told the log: up to the first message that is not recorded yet. */
export class AckWatermark {
  private readonly open: WatermarkStep[] = []
  private at = 0

  /** `reached` is recorded; `read` is how far the log was read. */
  constructor(
    private reached: number,
    public read = reached,
  ) {}

  /** Adds messages in the order of the log, and how far that order reaches. */
  extend(positions: readonly number[], through: number): WatermarkStep[] {
    const steps = positions.map((position) => ({ position, isSettled: false }))
    this.open.push(...steps)
    this.read = through
    return steps
  }

  /** Every event up to here is recorded, or was not wanted. */
  get position(): number {
    while (this.at < this.open.length && this.open[this.at]?.isSettled)
      this.reached = (this.open[this.at++] as WatermarkStep).position
    if (this.at === this.open.length) this.reached = this.read
    if (this.at > MAX_SETTLED) {
      this.open.splice(0, this.at)
      this.at = 0
    }
    return this.reached
  }
}
