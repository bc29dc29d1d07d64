import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Middleware } from '../instrumentation.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LONG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1800]
const COUNTS = [0, 1, 2, 3, 5, 8, 13, 21, 50, 100]
const SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000]

/** Returns functions that create the metrics of a registry. All names start with `odograph_`. */
export function instruments(registry: Registry) {
  const registers = [registry]
  const options = (name: string, help: string, labelNames: readonly string[]) => ({
    name: `odograph_${name}`,
    help,
    labelNames: [...labelNames],
    registers,
  })
  const histogram =
    (buckets: number[]) =>
    (name: string, help: string, labels: readonly string[] = []) =>
      new Histogram({ ...options(name, help, labels), buckets })
  return {
    counter: (name: string, help: string, labels: readonly string[] = []) =>
      new Counter(options(name, help, labels)),
    gauge: (name: string, help: string, labels: readonly string[] = []) =>
      new Gauge(options(name, help, labels)),
    seconds: histogram(SECONDS),
    longSeconds: histogram(LONG_SECONDS),
    counts: histogram(COUNTS),
    sizes: histogram(SIZES),
  }
}

export type Instruments = ReturnType<typeof instruments>

/** Middleware that reports the duration of work, and whether it failed. */
export const timed =
  <Work>(listener: (work: Work, seconds: number, failed: boolean) => void): Middleware<Work> =>
  async (work, next) => {
    const startedAt = performance.now()
    const report = (failed: boolean) => listener(work, (performance.now() - startedAt) / 1000, failed)
    try {
      const result = await next()
      report(false)
      return result
    } catch (error) {
      report(true)
      throw error
    }
  }
