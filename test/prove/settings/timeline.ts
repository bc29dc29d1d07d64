/** Moments of one process, in their order. */
export class Moments {
  private last = 0

  next(): number {
    return ++this.last
  }
}

interface Version<Value> {
  readonly value: Value
  /** Moment before the change: from then on it may be in force. */
  readonly begun: number
  /** Moment after the next change was acknowledged: from then on it is not in force. */
  ended: number
}

/** Versions of a setting, from the first to the present one. */
export class Timeline<Value> {
  private readonly versions: Version<Value>[]

  constructor(
    private readonly moments: Moments,
    first: Value,
  ) {
    this.versions = [{ value: first, begun: 0, ended: Infinity }]
  }

  get present(): Value {
    return (this.versions.at(-1) as Version<Value>).value
  }

  /** Makes a change, and records when it began and when it was acknowledged. */
  async change(value: Value, apply: () => Promise<unknown>): Promise<void> {
    const before = this.versions.at(-1) as Version<Value>
    this.versions.push({ value, begun: this.moments.next(), ended: Infinity })
    await apply()
    before.ended = this.moments.next()
  }

  /** Values that may have been in force at some moment of a period. */
  during(from: number, until: number): Value[] {
    const values: Value[] = []
    for (let at = this.firstAfter(from); at < this.versions.length; at++) {
      const { value, begun } = this.versions[at] as Version<Value>
      if (begun > until) break
      values.push(value)
    }
    return values
  }

  /** Index of the first version that has not ended at a moment. Versions end in their order. */
  private firstAfter(moment: number): number {
    let [low, high] = [0, this.versions.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.versions[middle] as Version<Value>).ended > moment) high = middle
      else low = middle + 1
    }
    return low
  }
}
