import { formatSpeed } from '../shell/measure-format.ts'
import { useSettings, useZone } from '../shell/settings.ts'
import { formatTime } from '../shell/time-format.ts'
import type { DayBounds } from './day-bounds.ts'
import type { Moment } from './track.ts'
import { type Replay, replaySpeeds } from './use-replay.ts'

interface ReplayBarProps {
  readonly replay: Replay
  readonly bounds: DayBounds
  readonly moment: Moment | null
  readonly isFollowing: boolean
  readonly onFollow: (isFollowing: boolean) => void
}

/** Controls of the replay: play, time, speed, and whether the map follows. */
export function ReplayBar({ replay, bounds, moment, isFollowing, onFollow }: ReplayBarProps) {
  const { at, isPlaying, speed, skipsGaps, play, seek, setSpeed, setSkipsGaps } = replay
  const zone = useZone()
  return (
    <div className="replay" role="group" aria-label="Replay">
      <button type="button" className="play" onClick={() => play(!isPlaying)}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <output className="clock">{formatTime(at, zone)}</output>
      <input
        type="range"
        aria-label="Time of day"
        aria-valuetext={formatTime(at, zone)}
        min={bounds.startAt}
        max={bounds.endAt - 1000}
        step={1000}
        value={at}
        onChange={({ target }) => seek(Number(target.value))}
      />
      <span className="speed">
        <MomentText moment={moment} />
      </span>
      <label>
        Speed{' '}
        <select
          aria-label="Speed of the replay"
          value={speed}
          onChange={({ target }) => setSpeed(Number(target.value))}
        >
          {replaySpeeds.map((each) => (
            <option key={each} value={each}>
              ×{each}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input type="checkbox" checked={isFollowing} onChange={({ target }) => onFollow(target.checked)} />{' '}
        Follow
      </label>
      <label>
        <input type="checkbox" checked={skipsGaps} onChange={({ target }) => setSkipsGaps(target.checked)} />{' '}
        Skip stops
      </label>
    </div>
  )
}

function MomentText({ moment }: { readonly moment: Moment | null }) {
  const { units } = useSettings()
  if (moment === null) return 'No position yet'
  if (moment.isGap) return 'No report'
  return moment.speed === null ? '' : formatSpeed(moment.speed, units)
}
