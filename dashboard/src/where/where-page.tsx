import type { Point } from '../../../src/domain/models/point.ts'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { query, SignedOut } from '../api/client.ts'
import { VehiclesNearDocument, type VehiclesNearQuery } from '../api/generated/graphql.ts'
import { nameOf } from '../live/live-vehicle.ts'
import { LazyFleetMap } from '../map/lazy-fleet-map.ts'
import { describePosition } from '../map/nearest-place.ts'
import { useCities } from '../map/use-cities.ts'
import { useSignInAgain } from '../shell/layout.tsx'
import { Failure, Loading, Notice } from '../shell/messages.tsx'
import { useTheme, useZone } from '../shell/settings.ts'
import { formatDateTime, formatTime } from '../shell/time-format.ts'
import { dayBounds, dayOf, timeOfDay } from '../vehicle/day-bounds.ts'
import { WhereForm } from './where-form.tsx'
import { WhereLayer } from './where-layer.ts'
import { placeOf, placeText, questionOf, type WhereQuestion, type WhereSearch } from './where-search.ts'

type Found = NonNullable<VehiclesNearQuery['vehiclesNear']>
type Nearby = Found['nodes'][number]

/** Page that shows which vehicles were at a place at a time. */
export function WherePage() {
  const search = useSearch({ from: '/layout/where' })
  const navigate = useNavigate({ from: '/where' })
  const zone = useZone()
  const today = dayOf(Date.now(), zone)
  const question = useMemo(() => questionOf(search, today, zone), [search, today, zone])
  const { result, retry } = useAnswer(question)
  const place = placeOf(search.place)
  const cities = useCities()
  const change = useCallback(
    (changes: WhereSearch) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true }),
    [navigate],
  )
  const pick = useCallback((place: Point) => change({ place: placeText(place) }), [change])
  const found = result !== null && result !== 'reading' && !(result instanceof Error) ? result : null
  return (
    <div className="live where">
      <section className="side" aria-label="Who was there">
        <h1>Who was there?</h1>
        <WhereForm search={search} today={today} onChange={change} />
        {place && <p className="city">{describePosition(place, cities)}</p>}
        {question === null && (
          <Notice title="Choose a place and a time">
            <p>Click on the map, or enter latitude and longitude. Then choose the day and the time.</p>
          </Notice>
        )}
        {result === 'reading' && <Loading what="the positions" />}
        {result instanceof Error && <Failure error={result} retry={retry} />}
        {question && found && <Answer question={question} found={found} zone={zone} />}
      </section>
      <section className="map" aria-label="Map">
        <Suspense fallback={<Loading what="the map" />}>
          <WhereOnMap question={question} found={found} onPick={pick} />
        </Suspense>
      </section>
    </div>
  )
}

interface AnswerProps {
  readonly question: WhereQuestion
  readonly found: Found
  readonly zone: string
}

function Answer({ question, found: { nodes, vehicleCount }, zone }: AnswerProps) {
  if (nodes.length === 0)
    return (
      <Notice title="No vehicle was there">
        <p>
          From {formatDateTime(question.startAt, zone)} to {formatTime(question.endAt, zone)}, no stored
          position shows a vehicle there. Choose a larger circle or a longer time.
        </p>
      </Notice>
    )
  return (
    <>
      <p className="count" role="status">
        {vehicleCount === 1 ? '1 vehicle' : `${vehicleCount} vehicles`} from{' '}
        {formatDateTime(question.startAt, zone)} to {formatTime(question.endAt, zone)}, nearest first
        {nodes.length < vehicleCount && `; the first ${nodes.length} are shown`}
      </p>
      <ul className="found">
        {nodes.map((nearby) => (
          <li key={nearby.vehicle.id}>
            <NearbyItem nearby={nearby} zone={zone} />
          </li>
        ))}
      </ul>
    </>
  )
}

function NearbyItem({ nearby, zone }: { readonly nearby: Nearby; readonly zone: string }) {
  const { vehicle, distance, nearestAt, firstAt, lastAt, evidence } = nearby
  const at = Date.parse(nearestAt)
  const day = dayOf(at, zone)
  return (
    <>
      <Link
        to="/vehicles/$vehicleId"
        params={{ vehicleId: vehicle.id }}
        search={{ day, at: timeOfDay(at, dayBounds(day, zone)) }}
      >
        {nameOf(vehicle)}
      </Link>{' '}
      <span className="faint">
        {Math.round(distance)} m at {formatTime(nearestAt, zone)}
      </span>
      <p className="faint">
        {EVIDENCE[evidence]}
        {firstAt !== lastAt && `, ${formatTime(firstAt, zone)} to ${formatTime(lastAt, zone)}`}
      </p>
    </>
  )
}

const EVIDENCE: Readonly<Record<Nearby['evidence'], string>> = {
  REPORTED: 'Reported a position there',
  PASSED: 'Drove past between two positions',
  STAYED: 'Reported nothing, but was there before and after, or since',
}

interface WhereOnMapProps {
  readonly question: WhereQuestion | null
  readonly found: Found | null
  readonly onPick: (place: Point) => void
}

function WhereOnMap({ question, found, onPick }: WhereOnMapProps) {
  const theme = useTheme()
  const [layer, setLayer] = useState<WhereLayer | null>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  useEffect(() => {
    if (question) layer?.ask(question)
  }, [layer, question])
  useEffect(
    () => layer?.answer(found?.nodes.map(({ nearestLocation }) => nearestLocation) ?? []),
    [layer, found],
  )
  return (
    <LazyFleetMap
      theme={theme}
      label="Map of the place. Latitude and longitude can be entered in the form."
      onReady={(map) => {
        const made = new WhereLayer(map, (place) => pick.current(place))
        setLayer(made)
        return () => {
          made.stop()
          setLayer(null)
        }
      }}
    />
  )
}

function useAnswer(question: WhereQuestion | null) {
  const [result, setResult] = useState<Found | 'reading' | Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  const signInAgain = useSignInAgain()
  useEffect(() => {
    if (!question) {
      setResult(null)
      return undefined
    }
    let isCurrent = true
    const show = (value: Found | Error) => isCurrent && setResult(value)
    setResult('reading')
    ask(question).then(show, (error: unknown) => {
      if (error instanceof SignedOut) {
        if (isCurrent) signInAgain()
        return
      }
      show(error instanceof Error ? error : new Error(String(error)))
    })
    return () => {
      isCurrent = false
    }
    // The way to the sign-in is no reason to ask again.
  }, [question, attempt])
  return { result, retry: () => setAttempt(attempt + 1) }
}

async function ask({ place, radius, startAt, endAt }: WhereQuestion): Promise<Found> {
  const { vehiclesNear } = await query(VehiclesNearDocument, {
    location: { longitude: place.longitude, latitude: place.latitude },
    radius,
    startAt: new Date(startAt).toISOString(),
    endAt: new Date(endAt).toISOString(),
  })
  if (!vehiclesNear) throw new Error('The service sent no vehicles.')
  return vehiclesNear
}
