import type { JurisdictionDistance, Ms, World } from '../../world/truth.ts'

/** A world that caches its lists until the clock moves, because every response needs them. */
export class Recalled {
  private now: Ms = Number.NaN
  private reported: World | null = null

  of(world: World): World {
    if (this.reported === null || world.now !== this.now) this.reported = recalling(world)
    this.now = world.now
    return this.reported
  }
}

function recalling(world: World): World {
  const months = new Map<string, readonly JurisdictionDistance[]>()
  return {
    ...world,
    now: world.now,
    groups: once(() => world.groups()),
    drivers: once(() => world.drivers()),
    vehicles: once(() => world.vehicles()),
    trailers: once(() => world.trailers()),
    jurisdictionDistances: (month) => {
      const reported = months.get(month) ?? world.jurisdictionDistances(month)
      months.set(month, reported)
      return reported
    },
  }
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | null = null
  return () => (known ??= { value: compute() }).value
}
