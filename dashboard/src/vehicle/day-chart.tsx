import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useSettings, useTheme, useZone } from '../shell/settings.ts'
import { type ChartSeries, chartSeries } from './chart-series.ts'
import type { DayBounds } from './day-bounds.ts'
import type { FuelPoint } from './read-day.ts'
import type { TrackPoint } from './track.ts'

interface DayChartProps {
  readonly track: readonly TrackPoint[]
  readonly fuel: readonly FuelPoint[]
  readonly bounds: DayBounds
  /** Time of the replay, drawn as a line. */
  readonly at: number
  readonly onPick: (at: number) => void
}

const HEIGHT = 150

/** Chart of speed and fuel over a day. A click moves the replay to its time. */
export function DayChart({ track, fuel, bounds, at, onPick }: DayChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const shown = useRef({ at, onPick })
  shown.current = { at, onPick }
  const zone = useZone()
  const theme = useTheme()
  const { units } = useSettings()

  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const series = chartSeries(track, fuel, units)
    const made = createChart(element, { series, bounds, zone, units, timeShown: () => shown.current.at })
    made.over.addEventListener('click', () => {
      const left = made.cursor.left ?? -1
      if (left >= 0) shown.current.onPick(Math.round(made.posToVal(left, 'x') * 1000))
    })
    chart.current = made
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.destroy()
    }
  }, [track, fuel, bounds, zone, theme, units])
  useEffect(() => chart.current?.redraw(false, false), [at])

  return (
    <div className="chart" ref={frame} role="img" aria-label="Chart of speed and fuel level over the day" />
  )
}

interface ChartParts {
  readonly series: ChartSeries
  readonly bounds: DayBounds
  readonly zone: string
  readonly units: string
  readonly timeShown: () => number
}

function createChart(element: HTMLElement, { series, bounds, zone, units, timeShown }: ChartParts): uPlot {
  const color = (name: string) => getComputedStyle(element).getPropertyValue(name).trim()
  const [ink, line] = [color('--faint'), color('--line')]
  const axis = {
    stroke: ink,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: '12px system-ui',
  }
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
      legend: { live: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: {
        x: { range: [bounds.startAt / 1000, bounds.endAt / 1000] },
        speed: { range: (_chart, _min, max) => [0, Math.max(100, max ?? 0)] },
        fuel: { range: [0, 100] },
      },
      axes: [
        {
          ...axis,
          values: [
            [3600, '{HH}:{mm}', null, null, null, null, null, null, 1],
            [60, '{HH}:{mm}', null, null, null, null, null, null, 1],
          ],
        },
        { ...axis, scale: 'speed', size: 44 },
        { ...axis, scale: 'fuel', side: 1, grid: { show: false }, size: 40 },
      ],
      series: [
        {},
        {
          label: units === 'km' ? 'Speed, km/h' : 'Speed, mph',
          scale: 'speed',
          stroke: color('--stopped'),
          width: 1.5,
          points: { show: false },
        },
        {
          label: 'Fuel, %',
          scale: 'fuel',
          stroke: color('--idling'),
          width: 1.5,
          points: { show: false },
          spanGaps: true,
        },
      ],
      hooks: { draw: [(made) => drawTime(made, timeShown() / 1000, color('--ink'))] },
    },
    [[...series.seconds], [...series.speeds], [...series.fuel]],
    element,
  )
}

function drawTime({ ctx, bbox, valToPos }: uPlot, seconds: number, color: string): void {
  const x = Math.round(valToPos(seconds, 'x', true))
  ctx.save()
  ctx.strokeStyle = color
  ctx.lineWidth = 2
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  ctx.restore()
}
