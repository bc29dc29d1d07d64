import { useSyncExternalStore } from 'react'
import { isTimeZone } from '../../../src/domain/time.ts'
import type { Units } from './measure-format.ts'

/** What a person has chosen in this browser. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark'
  readonly units: Units
  /** Time zone of all times: `local`, or a name such as UTC. */
  readonly zone: string
}

const KEY = 'odograph:settings'
const DEFAULTS: Settings = { theme: 'system', units: 'km', zone: 'local' }

const listeners = new Set<() => void>()
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
let current = stored()

applyTheme()
prefersDark.addEventListener('change', changed)

function stored(): Settings {
  try {
    const { theme, units, zone } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>
    return {
      theme: theme === 'light' || theme === 'dark' ? theme : DEFAULTS.theme,
      units: units === 'mi' ? units : DEFAULTS.units,
      zone: zone !== undefined && isZone(zone) ? zone : DEFAULTS.zone,
    }
  } catch {
    // The text is not ours, or the browser denies the storage.
    return DEFAULTS
  }
}

const isZone = (zone: string): boolean => zone === 'local' || isTimeZone(zone)

export function changeSettings(changes: Partial<Settings>): void {
  current = { ...current, ...changes }
  changed()
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // The browser denies the storage: the settings last as long as the page.
  }
}

function changed(): void {
  applyTheme()
  for (const listener of listeners) listener()
}

function applyTheme(): void {
  document.documentElement.dataset['theme'] = shownTheme()
}

function shownTheme(): 'light' | 'dark' {
  if (current.theme !== 'system') return current.theme
  return prefersDark.matches ? 'dark' : 'light'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSettings = (): Settings => useSyncExternalStore(subscribe, () => current)

/** The theme that is shown, which follows the system by default. */
export const useTheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, shownTheme)

/** The name of the time zone in which times are shown. */
export function useZone(): string {
  const { zone } = useSettings()
  return zone === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone
}
