import { useEffect, useId, useRef, useState } from 'react'
import { changeSettings, type Settings, useSettings } from './settings.ts'

const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const zones: readonly string[] = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Toronto',
  'America/Mexico_City',
  'Europe/London',
  'Europe/Berlin',
]

/** Menu with the settings of this browser and the sign-out. */
export function SettingsMenu({ onSignOut }: { readonly onSignOut: () => Promise<string | null> }) {
  const [isOpen, setIsOpen] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (!isOpen) return undefined
    const close = (event: Event) => {
      const isOutside = event instanceof MouseEvent && !menu.current?.contains(event.target as Node)
      if (isOutside || (event instanceof KeyboardEvent && event.key === 'Escape')) setIsOpen(false)
    }
    document.addEventListener('mousedown', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('mousedown', close)
      document.removeEventListener('keydown', close)
    }
  }, [isOpen])
  return (
    <div className="settings" ref={menu}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        Settings
      </button>
      <div className="menu" id={id} hidden={!isOpen}>
        <SettingFields />
        <button type="button" onClick={async () => setProblem(await onSignOut())}>
          Sign out
        </button>
        {problem !== null && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </div>
  )
}

function SettingFields() {
  const { theme, units, zone } = useSettings()
  return (
    <>
      <label>
        Theme
        <select
          value={theme}
          onChange={({ target }) => changeSettings({ theme: target.value as Settings['theme'] })}
        >
          <option value="system">As the system</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
      <label>
        Units
        <select
          value={units}
          onChange={({ target }) => changeSettings({ units: target.value as Settings['units'] })}
        >
          <option value="km">Kilometers</option>
          <option value="mi">Miles</option>
        </select>
      </label>
      <label>
        Time zone
        <select value={zone} onChange={({ target }) => changeSettings({ zone: target.value })}>
          <option value="local">This browser: {LOCAL_ZONE}</option>
          {zones.map((name) => (
            <option key={name} value={name}>
              {name.replace('_', ' ')}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
