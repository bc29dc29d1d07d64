import type { Gauge } from 'prom-client'
import type { Instruments } from './instruments.ts'

/** Value with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** Sets one value of a gauge for each sample. */
type SetGauge = (gauge: Gauge, samples: readonly Sample[]) => void

const DEADLINE_MS = 1500
/** Each value is read at most once in this time, however many scrapes there are, because most values cost a query. */
const CACHE_MS = 5000

/**
 * Gauges that are read at each scrape. Gauges with the same source form a part. The parts are read independently: if a
 * part fails or takes too long, its gauges are omitted and the failure is counted.
 */
export class ScrapedGauges {
  private readonly parts: (() => Promise<void>)[] = []
  private readonly failures

  constructor({ counter }: Instruments) {
    this.failures = counter('collection_failures_total', 'Gauges that a scrape could not read in time.', [
      'part',
    ])
  }

  /** Adds a part. Each scrape resets its gauges, reads its value and sets them. */
  add<Value>(
    part: string,
    gauges: readonly Gauge[],
    read: () => Promise<Value>,
    set: (value: Value) => void,
  ) {
    const readCached = cached(read)
    this.failures.inc({ part }, 0)
    this.parts.push(async () => {
      for (const gauge of gauges) gauge.reset()
      try {
        set(await withinDeadline(readCached()))
      } catch {
        this.failures.inc({ part })
      }
    })
  }

  async collect(): Promise<void> {
    await Promise.all(this.parts.map((part) => part()))
  }
}

export const setGauge: SetGauge = (gauge, samples) => {
  for (const { labels = {}, value } of samples) gauge.set(labels, value)
}

/** Caches a value for a short time. Concurrent calls share one read. */
function cached<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly at: number; readonly value: Promise<Value> } | null = null
  return () => {
    if (last && performance.now() - last.at < CACHE_MS) return last.value
    const value = read()
    last = { at: performance.now(), value }
    value.catch(() => (last = null))
    return value
  }
}

async function withinDeadline<T>(value: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('gauge read timed out')), DEADLINE_MS)
  })
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}
