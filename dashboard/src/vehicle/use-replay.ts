import { useCallback, useEffect, useRef, useState } from 'react'
import type { DayBounds } from './day-bounds.ts'
import { endOfGap, type TrackPoint } from './track.ts'

/** Speeds of the replay, as multiples of real time. */
export const replaySpeeds: readonly number[] = [1, 10, 30, 60, 120, 300]

export interface Replay {
  /** Time that is shown. */
  readonly at: number
  readonly isPlaying: boolean
  readonly speed: number
  readonly skipsGaps: boolean
  play(isPlaying: boolean): void
  seek(at: number): void
  setSpeed(speed: number): void
  setSkipsGaps(skips: boolean): void
}

/** Where a replay goes on from `at` after so much real time: to the end of a gap, if gaps are skipped. */
export function advanced(
  { at, speed, skipsGaps }: Pick<Replay, 'at' | 'speed' | 'skipsGaps'>,
  elapsedMs: number,
  points: readonly TrackPoint[],
): number {
  const next = at + elapsedMs * speed
  const gapEnd = skipsGaps ? endOfGap(points, next) : null
  return gapEnd ?? next
}

/** A clock that runs through a day at a multiple of real time, however often it is drawn. */
export function useReplay(points: readonly TrackPoint[], bounds: DayBounds, startAt: number): Replay {
  const [at, setAt] = useState(startAt)
  const [isPlaying, setIsPlaying] = useState(false)
  const [speed, setSpeed] = useState(60)
  const [skipsGaps, setSkipsGaps] = useState(true)
  const endAt = points.at(-1)?.at ?? bounds.endAt
  const state = useRef({ at, speed, skipsGaps })
  state.current = { at: state.current.at, speed, skipsGaps }

  const seek = useCallback((to: number) => {
    state.current.at = to
    setAt(to)
  }, [])
  const play = useCallback(
    (plays: boolean) => {
      if (plays && state.current.at >= endAt) seek(points[0]?.at ?? bounds.startAt)
      setIsPlaying(plays)
    },
    [points, bounds.startAt, endAt, seek],
  )

  useEffect(() => {
    if (!isPlaying) return undefined
    let drawnAt = performance.now()
    let frame = requestAnimationFrame(draw)
    function draw(now: number): void {
      const to = Math.min(endAt, advanced(state.current, Math.max(0, now - drawnAt), points))
      drawnAt = now
      seek(to)
      if (to >= endAt) setIsPlaying(false)
      else frame = requestAnimationFrame(draw)
    }
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, points, endAt, seek])

  return { at, isPlaying, speed, skipsGaps, play, seek, setSpeed, setSkipsGaps }
}
