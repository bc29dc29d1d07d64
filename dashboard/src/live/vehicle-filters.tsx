import { useMemo } from 'react'
import type { FleetView } from './live-fleet.ts'
import type { LiveSearch } from './live-search.ts'
import { countByState, vehicleStatuses } from './live-vehicle.ts'
import { stateNames, vehicleStates } from './vehicle-state.ts'

interface VehicleFiltersProps {
  readonly view: FleetView
  readonly search: LiveSearch
  readonly onChange: (changes: Partial<LiveSearch>) => void
}

/** Search and filters of the vehicles. The states also are the legend of the map. */
export function VehicleFilters({ view, search, onChange }: VehicleFiltersProps) {
  const counts = useMemo(() => countByState(view.vehicles), [view.vehicles])
  return (
    <div className="filters">
      <label>
        Search
        <input
          type="search"
          value={search.q ?? ''}
          placeholder="Name, VIN, plate or id"
          onChange={({ target }) => onChange({ q: target.value || undefined })}
        />
      </label>
      {view.connections.length > 1 && (
        <Choice
          label="Connection"
          value={search.connection}
          options={view.connections.map(({ id, company, provider }) => [
            id,
            `${company.name ?? id} (${provider.name})`,
          ])}
          onChange={(connection) => onChange({ connection })}
        />
      )}
      {view.groups.length > 0 && (
        <Choice
          label="Group"
          value={search.group}
          options={view.groups.map(({ id, name }) => [id, name ?? id])}
          onChange={(group) => onChange({ group })}
        />
      )}
      {(search.status !== undefined ||
        view.vehicles.some(({ vehicle }) => vehicle.status === 'INACTIVE')) && (
        <Choice
          label="Status"
          value={search.status}
          options={vehicleStatuses.map((status) => [status, status === 'ACTIVE' ? 'Active' : 'Inactive'])}
          onChange={(id) => onChange({ status: vehicleStatuses.find((status) => status === id) })}
        />
      )}
      <div className="states" role="group" aria-label="States">
        {vehicleStates
          .filter((state) => counts.has(state) || search.state === state)
          .map((state) => (
            <button
              key={state}
              type="button"
              className="state"
              data-state={state}
              aria-pressed={search.state === state}
              onClick={() => onChange({ state: search.state === state ? undefined : state })}
            >
              <span className="dot" aria-hidden="true" />
              {stateNames[state]} <b>{counts.get(state) ?? 0}</b>
            </button>
          ))}
      </div>
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly (readonly [id: string, text: string])[]
  readonly onChange: (id: string | undefined) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)}>
        <option value="">All</option>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
