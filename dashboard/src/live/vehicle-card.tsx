import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDistance, formatHeading, formatSpeed } from '../shell/measure-format.ts'
import { personName } from '../shell/person-name.ts'
import { useSettings, useZone } from '../shell/settings.ts'
import { formatAge, formatDateTime, formatDuration } from '../shell/time-format.ts'
import { useNow } from '../shell/use-now.ts'
import { type Connection, type LiveVehicle, nameOf, type Position } from './live-vehicle.ts'
import { stateNames } from './vehicle-state.ts'

interface VehicleCardProps {
  readonly live: LiveVehicle
  readonly connection: Connection | undefined
  readonly isFollowing: boolean
  readonly onFollow: (isFollowing: boolean) => void
  readonly onClose: () => void
}

/** Card of one vehicle: its latest values, and how old they are. */
export function VehicleCard({ live, connection, isFollowing, onFollow, onClose }: VehicleCardProps) {
  const { vehicle, position, state } = live
  const { name, make, model, year, vin, licensePlate } = vehicle
  return (
    <article className="card" aria-label={`Vehicle ${nameOf(vehicle)}`}>
      <header>
        <h2>{nameOf(vehicle)}</h2>
        <button type="button" className="close" aria-label="Close the card" onClick={onClose}>
          ×
        </button>
      </header>
      <p className="state" data-state={state}>
        <span className="dot" aria-hidden="true" />
        {stateNames[state]}
      </p>
      {position ? <LatestValues position={position} /> : <p>No position has been received.</p>}
      <dl className="values">
        <Value label="Vehicle">{[year, make, model].filter(Boolean).join(' ') || null}</Value>
        <Value label="VIN">{name === null ? null : vin}</Value>
        <Value label="Plate">{licensePlate?.number}</Value>
        <Value label="Fleet">
          {connection && `${connection.company.name ?? connection.id}, ${connection.provider.name}`}
        </Value>
        <Value label="Id">{vehicle.id}</Value>
      </dl>
      <footer>
        <button
          type="button"
          aria-pressed={isFollowing}
          disabled={!position}
          onClick={() => onFollow(!isFollowing)}
        >
          {isFollowing ? 'Following' : 'Follow'}
        </button>
        <Link to="/vehicles/$vehicleId" params={{ vehicleId: vehicle.id }}>
          Trips and replay
        </Link>
      </footer>
    </article>
  )
}

function LatestValues({ position }: { readonly position: Position }) {
  const { units } = useSettings()
  const zone = useZone()
  const now = useNow()
  const { speed, heading, address, driver, fuel, odometer, engineRuntime, locatedAt, location } = position
  const direction = heading == null || !speed ? '' : `, ${formatHeading(heading)}`
  return (
    <>
      <p className="age">
        <time dateTime={locatedAt}>{formatDateTime(locatedAt, zone)}</time>, {formatAge(locatedAt, now)}
      </p>
      <dl className="values">
        <Value label="Place">{address?.formatted}</Value>
        <Value label="Position">{`${location.latitude.toFixed(5)}, ${location.longitude.toFixed(5)}`}</Value>
        <Value label="Speed">{speed != null && `${formatSpeed(speed, units)}${direction}`}</Value>
        <Value label="Driver">{personName(driver)}</Value>
        <Value label="Fuel">{fuel && `${Math.round(fuel.primaryPercentage)} %`}</Value>
        <Value label="Odometer">{odometer != null && formatDistance(odometer, units)}</Value>
        <Value label="Engine time">{engineRuntime != null && formatDuration(engineRuntime)}</Value>
      </dl>
    </>
  )
}

/** A labelled value; nothing if the vehicle has none. */
function Value({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (children === null || children === undefined || children === false || children === '') return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
