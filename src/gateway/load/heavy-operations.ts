import { PublicError } from '../../domain/errors.ts'
import { MAX_HEAP_USE } from '../../platform/heap-use.ts'

/** Estimated cost from which an operation is heavy. */
const HEAVY_COST = 1_000

/** Refuses heavy operations while the heap is nearly full. */
export class HeavyOperations {
  private running = 0

  constructor(private readonly heapUse: () => number) {}

  /**
   * Begins an operation. Returns a function that ends it. A single heavy operation is always accepted, because the heap
   * can be full of garbage.
   */
  begin(cost: number): () => void {
    if (cost < HEAVY_COST) return () => undefined
    if (this.running > 0 && this.heapUse() > MAX_HEAP_USE)
      throw new PublicError(
        'service_unavailable',
        'The memory of the service is nearly full. Retry later, or request smaller pages.',
        { retryAfterSeconds: 1 },
      )
    this.running++
    return () => this.running--
  }
}
