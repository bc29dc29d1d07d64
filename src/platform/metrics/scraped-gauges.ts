import type { Gauge } from 'prom-client'
import type { Instruments } from './instruments.ts'

/** A value with the labels that it is under. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** Sets a gauge to what there is now; what was there before and is no more is forgotten. */
type SetGauge = (gauge: Gauge, samples: readonly Sample[]) => void

const DEADLINE_MS = 1500
/** What costs a query is asked for no more often, however often it is scraped. */
const KEPT_MS = 5000

/**
 * Values that are looked up when they are asked for: each part by itself, so that one that fails or is late is left
 * out and counted, and the others are shown.
 */
export class ScrapedGauges {
  private readonly parts: (() => Promise<void>)[] = []
  private readonly failures

  constructor({ counter }: Instruments) {
    this.failures = counter('collection_failures_total', 'Values that could not be looked up in time.', [
      'part',
    ])
  }

  /** Shows a part of the values at each collection. */
  add<Found>(
    part: string,
    gauges: readonly Gauge[],
    look: () => Promise<Found>,
    show: (found: Found) => void,
  ) {
    const found = cached(look)
    this.failures.inc({ part }, 0)
    this.parts.push(async () => {
      for (const gauge of gauges) gauge.reset()
      try {
        show(await withinDeadline(found()))
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

/** Asks again only when the last answer is old, and never twice at a time. */
function cached<Found>(look: () => Promise<Found>): () => Promise<Found> {
  let last: { readonly at: number; readonly found: Promise<Found> } | null = null
  return () => {
    if (last && performance.now() - last.at < KEPT_MS) return last.found
    const found = look()
    last = { at: performance.now(), found }
    found.catch(() => (last = null))
    return found
  }
}

async function withinDeadline<T>(found: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('not looked up in time')), DEADLINE_MS)
  })
  try {
    return await Promise.race([found, late])
  } finally {
    clearTimeout(timer)
  }
}
