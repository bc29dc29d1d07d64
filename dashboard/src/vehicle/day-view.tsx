import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Map as MapLibre } from 'maplibre-gl'
import { fitTo } from '../map/fit-to.ts'
import { LazyFleetMap } from '../map/lazy-fleet-map.ts'
import { Loading, Notice } from '../shell/messages.tsx'
import { speedIn } from '../shell/measure-format.ts'
import { useSettings, useTheme, useZone } from '../shell/settings.ts'
import { type DayBounds, dayOf, instantOf, timeOfDay } from './day-bounds.ts'
import { DayChart } from './day-chart.tsx'
import { entriesOf } from './day-entries.ts'
import { DayLayer, speedColors } from './day-layer.ts'
import { DayList } from './day-list.tsx'
import { ExportMenu } from './export/export-menu.tsx'
import type { VehicleDay } from './read-day.ts'
import { ReplayBar } from './replay-bar.tsx'
import { momentAt, type Moment, SPEED_BOUNDS } from './track.ts'
import { useReplay } from './use-replay.ts'

interface DayViewProps {
  readonly day: VehicleDay
  readonly bounds: DayBounds
  readonly at: string | undefined
  /** Remembers the time at which the replay stands, such as 14:05:00. */
  readonly onStand: (at: string) => void
}

/** A day of a vehicle that has been read: list, map, chart and replay, which show the same moment. */
export function DayView({ day, bounds, at: requested, onStand }: DayViewProps) {
  const { track, trips, safetyEvents, fuel } = day
  const entries = useMemo(() => entriesOf({ trips, track }, bounds, Date.now()), [trips, track, bounds])
  const firstAt = track[0]?.at ?? bounds.startAt
  const [startAt] = useState(() => (requested === undefined ? null : instantOf(requested, bounds)) ?? firstAt)
  const replay = useReplay(track, bounds, startAt)
  const [isFollowing, setIsFollowing] = useState(false)
  const zone = useZone()
  const { at, isPlaying, seek } = replay
  const moment = useMemo(() => momentAt(track, at), [track, at])

  // The address holds the time at which the replay stands still.
  const remember = useRef(onStand)
  remember.current = onStand
  const rememberedAt = useRef(startAt)
  useEffect(() => {
    if (isPlaying || at === rememberedAt.current) return undefined
    const timer = setTimeout(() => {
      rememberedAt.current = at
      remember.current(timeOfDay(at, bounds))
    }, REMEMBER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [at, isPlaying, bounds])

  if (track.length === 0 && trips.length === 0)
    return (
      <Notice title="There is nothing on this day">
        <p>The vehicle did not report, or the connection does not reach back that far. Choose another day.</p>
      </Notice>
    )
  return (
    <div className="day">
      <section className="side" aria-label="Trips and stops">
        <DayList entries={entries} safetyEvents={safetyEvents} at={at} onPick={seek} />
        <ExportMenu exported={{ day, entries, zone }} day={dayOf(bounds.startAt, zone)} />
      </section>
      <section className="map" aria-label="Map">
        <Suspense fallback={<Loading what="the map" />}>
          <DayOnMap day={day} entries={entries} moment={moment} isFollowing={isFollowing} onPick={seek} />
        </Suspense>
        <SpeedLegend />
      </section>
      <section className="timeline" aria-label="Time">
        <ReplayBar
          replay={replay}
          bounds={bounds}
          moment={moment}
          isFollowing={isFollowing}
          onFollow={setIsFollowing}
        />
        <DayChart track={track} fuel={fuel} bounds={bounds} at={at} onPick={seek} />
      </section>
    </div>
  )
}

/** The colors of the track, with their lower bounds. */
function SpeedLegend() {
  const { units } = useSettings()
  const bounds = [0, ...SPEED_BOUNDS].map((bound) => Math.round(speedIn(bound, units)))
  return (
    <p className="legend">
      {bounds.map((bound, at) => (
        <span key={bound}>
          <span className="dot" aria-hidden="true" style={{ background: speedColors[at] }} />
          {bound}
        </span>
      ))}
      {units === 'km' ? 'km/h and more' : 'mph and more'}
    </p>
  )
}

const REMEMBER_AFTER_MS = 400

interface DayOnMapProps {
  readonly day: VehicleDay
  readonly entries: ReturnType<typeof entriesOf>
  readonly moment: Moment | null
  readonly isFollowing: boolean
  readonly onPick: (at: number) => void
}

function DayOnMap({ day, entries, moment, isFollowing, onPick }: DayOnMapProps) {
  const { track, safetyEvents } = day
  const theme = useTheme()
  const [ready, setReady] = useState<{ map: MapLibre; layer: DayLayer } | null>(null)
  const hasFitted = useRef(false)
  useEffect(() => ready?.layer.show(moment), [ready, moment])
  useEffect(() => {
    if (ready && moment && isFollowing) ready.map.jumpTo({ center: [moment.longitude, moment.latitude] })
  }, [ready, moment, isFollowing])
  const start = useCallback(
    (map: MapLibre) => {
      const layer = new DayLayer(map, { track, entries, safetyEvents }, onPick)
      if (!hasFitted.current && track.length > 0) fitTo(map, track, { padding: 50, maxZoom: 13 })
      hasFitted.current = true
      setReady({ map, layer })
      return () => {
        layer.stop()
        setReady(null)
      }
    },
    [track, entries, safetyEvents, onPick],
  )
  return (
    <LazyFleetMap
      theme={theme}
      label="Map of the day. The list of trips and stops has the same content."
      onReady={start}
    />
  )
}
