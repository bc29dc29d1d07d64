import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { formatAge } from '../shell/time-format.ts'
import { formatSpeed } from '../shell/measure-format.ts'
import { Notice } from '../shell/messages.tsx'
import { useSettings } from '../shell/settings.ts'
import { useNow } from '../shell/use-now.ts'
import { type LiveVehicle, nameOf } from './live-vehicle.ts'
import { stateNames } from './vehicle-state.ts'

interface VehicleListProps {
  readonly vehicles: readonly LiveVehicle[]
  /** Whether there are vehicles at all, apart from the filter. */
  readonly hasAny: boolean
  readonly selectedId: string | undefined
  readonly onSelect: (vehicleId: string) => void
}

const ROW_PIXELS = 58

/** List of vehicles. It draws only the rows in view, so that ten thousand vehicles cost what ten cost. */
export function VehicleList({ vehicles, hasAny, selectedId, onSelect }: VehicleListProps) {
  const frame = useRef<HTMLDivElement>(null)
  const now = useNow()
  const rows = useVirtualizer({
    count: vehicles.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 8,
  })
  const selectedAt = vehicles.findIndex(({ vehicle }) => vehicle.id === selectedId)
  useEffect(() => {
    if (selectedAt >= 0) rows.scrollToIndex(selectedAt)
    // Scrolls for a new selection only, not while the list changes.
  }, [selectedId, selectedAt >= 0])
  return (
    <>
      <p className="count" role="status">
        {vehicles.length === 1 ? '1 vehicle' : `${vehicles.length.toLocaleString('en-US')} vehicles`}
      </p>
      <div className="list" ref={frame}>
        {vehicles.length === 0 && <NoVehicles hasAny={hasAny} />}
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const live = vehicles[index]
            if (!live) return null
            const { id } = live.vehicle
            return (
              <li key={id} style={{ transform: `translateY(${start}px)` }}>
                <button type="button" aria-pressed={id === selectedId} onClick={() => onSelect(id)}>
                  <Row live={live} now={now} />
                </button>
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}

function Row({ live, now }: { readonly live: LiveVehicle; readonly now: number }) {
  const { units } = useSettings()
  const { vehicle, position, state } = live
  const speed =
    state === 'driving' && position?.speed != null ? `, ${formatSpeed(position.speed, units)}` : ''
  return (
    <>
      <span className="name">{nameOf(vehicle)}</span>
      <span className="state" data-state={state}>
        <span className="dot" aria-hidden="true" />
        {stateNames[state]}
        {speed}
      </span>
      <span className="place">{position?.address?.formatted ?? ''}</span>
      <span className="age">{position ? formatAge(position.locatedAt, now) : ''}</span>
    </>
  )
}

function NoVehicles({ hasAny }: { readonly hasAny: boolean }) {
  return hasAny ? (
    <Notice title="No vehicle matches">
      <p>Change the search or the filters.</p>
    </Notice>
  ) : (
    <Notice title="There are no vehicles yet">
      <p>Link a fleet, and wait for its first sync.</p>
    </Notice>
  )
}
