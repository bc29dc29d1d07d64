import { PublicError } from '../../domain/errors.ts'
import { MAX_HEAP_USE } from '../../platform/heap-use.ts'

/** Minimum estimated cost of a heavy operation. */
const HEAVY_COST = 1_000

/** Refuses heavy operations while the heap is nearly full. */
export class HeavyOperations {
  private running = 0

  constructor(private readonly heapUse: () => number) {}

  /**
   * Begins an operation. Returns a function that ends it. A heavy operation is always accepted while no other one runs,
   * because a full heap can consist of garbage.
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
