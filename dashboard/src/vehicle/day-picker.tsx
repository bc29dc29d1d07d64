import { addDays, isDay } from './day-bounds.ts'

interface DayPickerProps {
  readonly day: string
  readonly today: string
  readonly onChange: (day: string) => void
}

/** Chooses a day: the day before, the next one, or any. */
export function DayPicker({ day, today, onChange }: DayPickerProps) {
  return (
    <div className="day-picker" role="group" aria-label="Day">
      <button type="button" aria-label="Previous day" onClick={() => onChange(addDays(day, -1))}>
        ‹
      </button>
      <input
        type="date"
        aria-label="Day"
        value={day}
        max={today}
        onChange={({ target }) => isDay(target.value) && onChange(target.value)}
      />
      <button
        type="button"
        aria-label="Next day"
        disabled={day >= today}
        onClick={() => onChange(addDays(day, 1))}
      >
        ›
      </button>
    </div>
  )
}
