import { useEffect, useState } from 'react'
import { baseMapNames } from './base-map-data.ts'
import type { NamedPlace } from './nearest-place.ts'

/** Cities of the base map; none until they are read. */
export function useCities(): readonly NamedPlace[] {
  const [cities, setCities] = useState<readonly NamedPlace[]>([])
  useEffect(() => {
    let isCurrent = true
    baseMapNames().then(
      (names) => isCurrent && setCities(names.cities),
      // The map reports the failure; without cities the page shows coordinates.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [])
  return cities
}
