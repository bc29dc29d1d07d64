import { useMemo } from 'react'
import { describePosition, type NamedPlace } from '../map/nearest-place.ts'
import { useCities } from '../map/use-cities.ts'
import { formatDistance } from '../shell/measure-format.ts'
import { Notice } from '../shell/messages.tsx'
import { personName } from '../shell/person-name.ts'
import { useSettings, useZone } from '../shell/settings.ts'
import { formatDuration, formatTime } from '../shell/time-format.ts'
import { type DayEntry, type Stop, totalsOf, type TripEntry } from './day-entries.ts'
import type { SafetyEvent } from './read-day.ts'

interface DayListProps {
  readonly entries: readonly DayEntry[]
  readonly safetyEvents: readonly SafetyEvent[]
  /** Time of the replay; the entry at that time is marked. */
  readonly at: number
  readonly onPick: (at: number) => void
}

/** Trips, stops and safety events of a day in their order, with totals. A click moves the replay there. */
export function DayList({ entries, safetyEvents, at, onPick }: DayListProps) {
  const cities = useCities()
  const zone = useZone()
  const { units } = useSettings()
  const { trips, distance, drivingMs, stoppedMs } = useMemo(() => totalsOf(entries), [entries])
  return (
    <>
      <dl className="totals">
        <Total label="Distance">
          {distance === null ? (trips === 0 ? '–' : 'unknown') : formatDistance(distance, units)}
        </Total>
        <Total label="Driving">{formatDuration(drivingMs)}</Total>
        <Total label="Stopped">{formatDuration(stoppedMs)}</Total>
        <Total label="Trips">{trips}</Total>
      </dl>
      {entries.length === 0 && (
        <Notice title="There is no trip on this day">
          <p>The map and the chart show the positions that were received.</p>
        </Notice>
      )}
      <ol className="entries">
        {entries.map((entry) => (
          <li key={entry.startAt} data-kind={entry.kind}>
            <button
              type="button"
              aria-current={entry.startAt <= at && at < entry.endAt ? 'time' : undefined}
              onClick={() => onPick(entry.startAt)}
            >
              <span className="when">
                {formatTime(entry.startAt, zone).slice(0, 5)}–{formatTime(entry.endAt, zone).slice(0, 5)}
              </span>
              {entry.kind === 'trip' && <TripText entry={entry} cities={cities} />}
              {entry.kind === 'stop' && <StopText stop={entry} cities={cities} />}
              {entry.kind === 'under-way' && <UnderWayText />}
            </button>
          </li>
        ))}
      </ol>
      {safetyEvents.length > 0 && (
        <>
          <h2>Safety events</h2>
          <ol className="entries">
            {safetyEvents.map(({ id, type, startedAt }) => (
              <li key={id} data-kind="event">
                <button type="button" onClick={() => onPick(Date.parse(startedAt))}>
                  <span className="when">{formatTime(startedAt, zone)}</span>
                  <span>{type.toLowerCase().replaceAll('_', ' ')}</span>
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}

function Total({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function TripText({
  entry: { trip },
  cities,
}: {
  readonly entry: TripEntry
  readonly cities: readonly NamedPlace[]
}) {
  const { units } = useSettings()
  const { distance, duration, driver, startLocation, endLocation } = trip
  const [from, to] = [startLocation, endLocation].map(
    (position) => position && describePosition(position, cities),
  )
  const driverName = personName(driver)
  return (
    <span>
      <b>{distance == null ? 'Trip' : formatDistance(distance, units)}</b> in {formatDuration(duration)}
      {from && to && (
        <span className="faint">
          {from} → {to}
        </span>
      )}
      {driverName && <span className="faint">{driverName}</span>}
    </span>
  )
}

function UnderWayText() {
  return (
    <span>
      Under way
      <span className="faint">The provider reports a trip when it has ended.</span>
    </span>
  )
}

function StopText({ stop, cities }: { readonly stop: Stop; readonly cities: readonly NamedPlace[] }) {
  return (
    <span>
      Stopped for {formatDuration(stop.endAt - stop.startAt)}
      {stop.place && <span className="faint">{describePosition(stop.place, cities)}</span>}
    </span>
  )
}
