import {
  AttributionControl,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import { useEffect, useRef, useState } from 'react'
import { Failure, Notice } from '../shell/messages.tsx'
import { baseStyle, type Theme } from './base-style.ts'
import './fleet-map.css'

setWorkerUrl(new URL('./map-worker.js', import.meta.url).href)

interface FleetMapProps {
  readonly theme: Theme
  /** Description of the map for people who do not see it. */
  readonly label: string
  /**
   * Is called when the base map is drawn, and again after a change of the theme, which removes all layers. It may return
   * a function that undoes it.
   */
  readonly onReady: (map: MapLibre) => void | (() => void)
}

/** The United States. */
const START = { center: [-96, 38.5] as [number, number], zoom: 3.4 }

/** A map of the world that needs no network beyond this service. It fills its parent. */
export function FleetMap({ theme, label, onReady }: FleetMapProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibre | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  const ready = useRef(onReady)
  ready.current = onReady

  useEffect(() => {
    if (!frame.current) return undefined
    try {
      const created = createMap(frame.current, label)
      setMap(created)
      return () => created.remove()
    } catch (error) {
      setProblem(error)
      return undefined
    }
  }, [label])

  useEffect(() => {
    if (!map) return undefined
    let isCurrent = true
    let undo: void | (() => void)
    const start = () => {
      if (isCurrent) undo = ready.current(map)
    }
    const draw = async () => {
      const style = await baseStyle(theme)
      if (!isCurrent) return
      map.once('style.load', start)
      map.setStyle(style, { diff: false })
    }
    draw().catch((error: unknown) => isCurrent && setProblem(error))
    return () => {
      isCurrent = false
      undo?.()
    }
  }, [map, theme, attempt])

  const retry = () => {
    setProblem(null)
    setAttempt(attempt + 1)
  }
  return (
    <>
      <div className="fleet-map" ref={frame} />
      {problem !== null && (
        <div className="no-map">{map ? <Failure error={problem} retry={retry} /> : <NoWebGL />}</div>
      )}
    </>
  )
}

const NoWebGL = () => (
  <Notice title="The map needs WebGL">
    <p>Switch on hardware acceleration in the browser, or use the list.</p>
  </Notice>
)

function createMap(container: HTMLElement, label: string): MapLibre {
  const map = new MapLibre({
    container,
    ...START,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    maxZoom: 18,
    locale: { 'Map.Title': label },
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl(), 'bottom-left')
  map.addControl(new AttributionControl({ compact: true }), 'bottom-right')
  return map
}
