/**
 * Returns a function that runs work while fewer than `max` others run. Work beyond the limit waits, and starts in
 * the order of its arrival.
 */
export function createConcurrencyLimit(
  max: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < max) running += 1
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      const startNext = waiting.shift()
      if (startNext) startNext()
      else running -= 1
    }
  }
}
