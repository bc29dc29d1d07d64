/** Measurement of one side in one round. */
export interface Measured {
  readonly perSecond: number
  readonly cpuMicroseconds: number
}

interface Sides {
  readonly group: string
  readonly name: string
  readonly goal: number | undefined
  readonly ours: readonly Measured[]
  readonly baseline: readonly Measured[]
}

export interface Comparison {
  readonly group: string
  readonly name: string
  readonly goal: number | undefined
  readonly ours: number
  readonly baseline: number
  /** Median requests per second of our side, divided by that of the baseline. */
  readonly ratio: number
  /**
   * Median processor time per request of the baseline, divided by that of our side. Other processes disturb this ratio
   * less than `ratio`.
   */
  readonly cpuRatio: number
  /** Whether `ratio` is at least the goal. Always true without a goal. */
  readonly reached: boolean
}

export function compared({ group, name, goal, ours, baseline }: Sides): Comparison {
  const [a, b] = [ours, baseline].map((rounds) => median(rounds.map(({ perSecond }) => perSecond))) as [
    number,
    number,
  ]
  const [aCpu, bCpu] = [ours, baseline].map((rounds) =>
    median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
  ) as [number, number]
  return {
    group,
    name,
    goal,
    ours: a,
    baseline: b,
    ratio: a / b,
    cpuRatio: bCpu / aCpu,
    reached: goal === undefined || a / b >= goal,
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const widths = [10, 6, 10, 12, 8, 8, 7, 8] as const

const line = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at < 2 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' ')

export const heading = (): string =>
  line(['store', 'load', 'ours/s', 'baseline/s', 'ratio', 'by cpu', 'goal', ''])

export const lineOf = ({ group, name, goal, ours, baseline, ratio, cpuRatio, reached }: Comparison): string =>
  line([
    group,
    name,
    ours.toFixed(0),
    baseline.toFixed(0),
    ratio.toFixed(2),
    cpuRatio.toFixed(2),
    goal?.toFixed(2) ?? '',
    goal === undefined ? '' : reached ? 'ok' : 'missed',
  ])
