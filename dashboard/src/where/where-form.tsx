import { useEffect, useState } from 'react'
import { formatDuration } from '../shell/time-format.ts'
import { isDay } from '../vehicle/day-bounds.ts'
import { DEFAULTS, MINUTES, placeOf, placeText, RADII, type WhereSearch } from './where-search.ts'

interface WhereFormProps {
  readonly search: WhereSearch
  readonly today: string
  readonly onChange: (changes: WhereSearch) => void
}

/** Chooses the place, the radius and the time. */
export function WhereForm({ search, today, onChange }: WhereFormProps) {
  const [text, setText] = useState(search.place ?? '')
  useEffect(() => setText(search.place ?? ''), [search.place])
  const typed = placeOf(text)
  const isWrong = text !== '' && typed === null
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Latitude, longitude
        <input
          value={text}
          placeholder="30.2672, -97.7431"
          aria-invalid={isWrong}
          aria-describedby={isWrong ? 'place-problem' : undefined}
          onChange={({ target }) => {
            setText(target.value)
            const place = placeOf(target.value)
            if (place) onChange({ place: placeText(place) })
          }}
        />
      </label>
      {isWrong && (
        <p id="place-problem" className="problem">
          Enter two numbers, such as 30.2672, -97.7431.
        </p>
      )}
      <label>
        Within
        <select
          value={search.radius ?? DEFAULTS.radius}
          onChange={({ target }) => onChange({ radius: Number(target.value) })}
        >
          {RADII.map((meters) => (
            <option key={meters} value={meters}>
              {meters < 1000 ? `${meters} m` : `${meters / 1000} km`}
            </option>
          ))}
        </select>
      </label>
      <label>
        Day
        <input
          type="date"
          value={search.day ?? today}
          max={today}
          onChange={({ target }) => isDay(target.value) && onChange({ day: target.value })}
        />
      </label>
      <label>
        Time
        <input
          type="time"
          value={search.time ?? ''}
          onChange={({ target }) => onChange({ time: target.value === '' ? undefined : target.value })}
        />
      </label>
      <label>
        Before and after
        <select
          value={search.minutes ?? DEFAULTS.minutes}
          onChange={({ target }) => onChange({ minutes: Number(target.value) })}
        >
          {MINUTES.map((minutes) => (
            <option key={minutes} value={minutes}>
              {formatDuration(minutes * 60_000)}
            </option>
          ))}
        </select>
      </label>
    </form>
  )
}
