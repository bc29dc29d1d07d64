import { lazy } from 'react'

/** The map, whose code and data are loaded when it is shown first. */
export const LazyFleetMap = lazy(async () => ({ default: (await import('./fleet-map.tsx')).FleetMap }))
