import type { JurisdictionDistance, Ms, World } from '../../world/truth.ts'

/** Caches the lists of a world until the clock moves. Every response needs them. */
export class CachedWorld {
  private now: Ms = Number.NaN
  private cached: World | null = null

  of(world: World): World {
    if (this.cached === null || world.now !== this.now) this.cached = withCachedLists(world)
    this.now = world.now
    return this.cached
  }
}

function withCachedLists(world: World): World {
  const months = new Map<string, readonly JurisdictionDistance[]>()
  return {
    ...world,
    now: world.now,
    groups: once(() => world.groups()),
    drivers: once(() => world.drivers()),
    vehicles: once(() => world.vehicles()),
    trailers: once(() => world.trailers()),
    jurisdictionDistances: (month) => {
      const distances = months.get(month) ?? world.jurisdictionDistances(month)
      months.set(month, distances)
      return distances
    },
  }
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | null = null
  return () => (known ??= { value: compute() }).value
}
