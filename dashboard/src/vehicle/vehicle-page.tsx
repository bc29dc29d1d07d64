import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { SignedOut } from '../api/client.ts'
import { nameOf } from '../live/live-vehicle.ts'
import { useSignInAgain } from '../shell/layout.tsx'
import { Failure, Loading, Notice } from '../shell/messages.tsx'
import { useZone } from '../shell/settings.ts'
import { dayBounds, type DayBounds, dayOf } from './day-bounds.ts'
import { DayPicker } from './day-picker.tsx'
import { DayView } from './day-view.tsx'
import { readDay, type VehicleDay } from './read-day.ts'
import type { VehicleSearch } from './vehicle-search.ts'

/** Page of one vehicle: a day with its trips, stops, track, replay and chart. */
export function VehiclePage() {
  const { vehicleId } = useParams({ from: '/layout/vehicles/$vehicleId' })
  const search = useSearch({ from: '/layout/vehicles/$vehicleId' })
  const navigate = useNavigate({ from: '/vehicles/$vehicleId' })
  const zone = useZone()
  const today = dayOf(Date.now(), zone)
  const day = search.day ?? today
  const bounds = useMemo(() => dayBounds(day, zone), [day, zone])
  const { result, shownBounds, positions, retry } = useDay(vehicleId, bounds)
  const change = (changes: VehicleSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })
  if (result === 'unknown')
    return (
      <Notice title="There is no such vehicle">
        <p>
          Its id is wrong, or it belongs to another application. <Link to="/">Go to the live map</Link>
        </p>
      </Notice>
    )
  const isShown = shownBounds === bounds && result !== 'reading' && !(result instanceof Error)
  return (
    <div className="vehicle">
      <header>
        <h1>{isShown ? nameOf(result.vehicle) : 'Vehicle'}</h1>
        <Link to="/" search={{ vehicle: vehicleId }}>
          Show on the live map
        </Link>
        <DayPicker
          day={day}
          today={today}
          onChange={(to) => change({ day: to === today ? undefined : to, at: undefined })}
        />
      </header>
      {result === 'reading' && (
        <Loading what={positions === 0 ? 'the day' : `${positions.toLocaleString('en-US')} positions`} />
      )}
      {result instanceof Error && <Failure error={result} retry={retry} />}
      {isShown && (
        <DayView
          key={`${vehicleId} ${day} ${zone}`}
          day={result}
          bounds={bounds}
          at={search.at}
          onStand={(at) => change({ day, at })}
        />
      )}
    </div>
  )
}

interface DayReading {
  readonly result: VehicleDay | 'reading' | 'unknown' | Error
  /** Day to which the result belongs. */
  readonly shownBounds: DayBounds
  /** Number of positions read so far. */
  readonly positions: number
  readonly retry: () => void
}

function useDay(vehicleId: string, bounds: DayBounds): DayReading {
  const [{ result, shownBounds }, setReading] = useState<Pick<DayReading, 'result' | 'shownBounds'>>({
    result: 'reading',
    shownBounds: bounds,
  })
  const [positions, setPositions] = useState(0)
  const [attempt, setAttempt] = useState(0)
  const signInAgain = useSignInAgain()
  useEffect(() => {
    let isCurrent = true
    const show = (value: DayReading['result']) =>
      isCurrent && setReading({ result: value, shownBounds: bounds })
    show('reading')
    setPositions(0)
    readDay(vehicleId, bounds, (count) => isCurrent && setPositions(count)).then(
      (day) => show(day ?? 'unknown'),
      (error: unknown) => {
        if (error instanceof SignedOut) {
          if (isCurrent) signInAgain()
          return
        }
        show(error instanceof Error ? error : new Error(String(error)))
      },
    )
    return () => {
      isCurrent = false
    }
    // The way to the sign-in is no reason to read the day again.
  }, [vehicleId, bounds, attempt])
  return { result, shownBounds, positions, retry: () => setAttempt(attempt + 1) }
}
