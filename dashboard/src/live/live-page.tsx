import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Map as MapLibre } from 'maplibre-gl'
import { fitTo } from '../map/fit-to.ts'
import { LazyFleetMap } from '../map/lazy-fleet-map.ts'
import { useSignInAgain } from '../shell/layout.tsx'
import { Loading } from '../shell/messages.tsx'
import { useTheme } from '../shell/settings.ts'
import { LiveFleet } from './live-fleet.ts'
import type { LiveSearch } from './live-search.ts'
import { byName, type LiveVehicle, passes } from './live-vehicle.ts'
import { LinkStatus } from './link-status.tsx'
import { VehicleCard } from './vehicle-card.tsx'
import { VehicleFilters } from './vehicle-filters.tsx'
import { VehicleLayer } from './vehicle-layer.ts'
import { VehicleList } from './vehicle-list.tsx'

/** The live map: all vehicles of the session with their latest positions, as a map and as a list. */
export function LivePage() {
  const search = useSearch({ from: '/layout/' })
  const navigate = useNavigate({ from: '/' })
  const fleet = useLiveFleet()
  const view = useSyncExternalStore(fleet.subscribe, fleet.current)
  const [isFollowing, setIsFollowing] = useState(false)
  const { q, connection, group, status, state, vehicle: selectedId } = search
  const shown = useMemo(
    () =>
      view.vehicles
        .filter((live) => passes(live, { search: q, connection, group, status, state }))
        .sort(byName),
    [view.vehicles, q, connection, group, status, state],
  )
  const selected = view.vehicles.find(({ vehicle }) => vehicle.id === selectedId)
  const change = (changes: Partial<LiveSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })
  const select = (vehicle: string | undefined) => {
    setIsFollowing(false)
    change({ vehicle })
  }
  return (
    <div className="live">
      <section className="side" aria-label="Vehicles">
        <LinkStatus view={view} onRetry={() => void fleet.readLists()} />
        <VehicleFilters view={view} search={search} onChange={change} />
        {view.isLoaded ? (
          <VehicleList
            vehicles={shown}
            hasAny={view.vehicles.length > 0}
            selectedId={selectedId}
            onSelect={select}
          />
        ) : (
          view.problem === null && <Loading what="the vehicles" />
        )}
      </section>
      <section className="map" aria-label="Map">
        <Suspense fallback={<Loading what="the map" />}>
          <FleetOnMap vehicles={shown} selected={selected} isFollowing={isFollowing} onSelect={select} />
        </Suspense>
        {selected && (
          <VehicleCard
            live={selected}
            connection={view.connections.find(({ id }) => id === selected.vehicle.connection?.id)}
            isFollowing={isFollowing}
            onFollow={setIsFollowing}
            onClose={() => select(undefined)}
          />
        )}
      </section>
    </div>
  )
}

function useLiveFleet(): LiveFleet {
  const signInAgain = useSignInAgain()
  const latest = useRef(signInAgain)
  latest.current = signInAgain
  const [fleet] = useState(() => new LiveFleet(() => latest.current()))
  useEffect(() => {
    fleet.start()
    return () => fleet.stop()
  }, [fleet])
  return fleet
}

interface FleetOnMapProps {
  readonly vehicles: readonly LiveVehicle[]
  readonly selected: LiveVehicle | undefined
  readonly isFollowing: boolean
  readonly onSelect: (vehicleId: string) => void
}

/** Zoom at which a selected vehicle is shown. */
const VEHICLE_ZOOM = 9

function FleetOnMap({ vehicles, selected, isFollowing, onSelect }: FleetOnMapProps) {
  const theme = useTheme()
  const [ready, setReady] = useState<{ map: MapLibre; layer: VehicleLayer } | null>(null)
  const select = useRef(onSelect)
  select.current = onSelect
  const hasFitted = useRef(false)
  const centredId = useRef<string | undefined>(undefined)
  const selectedId = selected?.vehicle.id
  const { longitude, latitude } = selected?.position?.location ?? {}

  useEffect(() => ready?.layer.update(vehicles), [ready, vehicles])
  useEffect(() => ready?.layer.select(selectedId ?? null), [ready, selectedId])
  useEffect(() => {
    const positions = vehicles.flatMap(({ position }) => (position ? [position.location] : []))
    if (!ready || hasFitted.current || positions.length === 0) return
    hasFitted.current = true
    if (selectedId !== undefined) return
    fitTo(ready.map, positions, { padding: 60, maxZoom: VEHICLE_ZOOM })
  }, [ready, vehicles])
  useEffect(() => {
    const isNew = centredId.current !== selectedId
    if (selectedId === undefined) centredId.current = undefined
    if (!ready || selectedId === undefined || longitude === undefined || latitude === undefined) return
    // Only a new selection moves the map, unless it follows the vehicle.
    if (!isNew && !isFollowing) return
    centredId.current = selectedId
    const zoom = Math.max(ready.map.getZoom(), VEHICLE_ZOOM)
    ready.map.easeTo({ center: [longitude, latitude], zoom })
  }, [ready, selectedId, longitude, latitude, isFollowing])

  return (
    <LazyFleetMap
      theme={theme}
      label="Map of the vehicles. The list of vehicles has the same content."
      onReady={(map) => {
        const layer = new VehicleLayer(map, { select: (id) => select.current(id) })
        setReady({ map, layer })
        return () => {
          layer.stop()
          setReady(null)
        }
      }}
    />
  )
}
