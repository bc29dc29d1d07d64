import { getHeapStatistics } from 'node:v8'

/** Share of the heap limit above which the process avoids heavy work. */
export const MAX_HEAP_USE = 0.85
const SAMPLE_MS = 100

let sampledAt = -Infinity
let sample = 0

/** Returns the share of the heap limit that is in use, at most 100 ms old. */
export function heapUse(): number {
  const now = performance.now()
  if (now - sampledAt >= SAMPLE_MS) {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    sampledAt = now
    sample = used / limit
  }
  return sample
}
