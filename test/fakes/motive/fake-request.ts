import type { Call } from '../kit/http.ts'
import type { Ms, Vehicle } from '../world/truth.ts'
import type { behaviours, MotiveSwitches } from './behaviours.ts'
import type { Company } from './company.ts'
import { type Kind, numberOf } from './ids.ts'
import { badRequest } from './refusal.ts'
import { zoneOf } from './formats.ts'
import type { Zone } from './zone.ts'

export interface Period {
  readonly from: Ms
  readonly to: Ms
}

/** An authorized request. */
export class FakeRequest {
  constructor(
    readonly company: Company,
    private readonly switches: MotiveSwitches,
    private readonly call: Pick<Call, 'query' | 'params' | 'headers'>,
  ) {}

  get query(): URLSearchParams {
    return this.call.query
  }

  get id(): string {
    return this.call.params['id'] ?? ''
  }

  /** Base URL of the fake. */
  get origin(): string {
    return `http://${this.call.headers.host}`
  }

  is(behaviour: keyof typeof behaviours, position: string): boolean {
    return this.switches.is(behaviour, position)
  }

  /** Whether a response has metric units. By default it has the units of the resource. */
  isMetric(own: boolean): boolean {
    const wanted = this.call.headers['x-metric-units']
    return wanted !== undefined && this.is('metricHeader', 'honoured') ? wanted === 'true' : own
  }

  /** Time zone of the dates in the query. */
  get zone(): Zone {
    const name = this.call.headers['x-time-zone']
    const zone = name === undefined ? 'UTC' : zoneOf(String(name))
    if (zone === null && this.is('unknownZone', 'refused')) throw badRequest('Invalid time zone')
    return this.company.zoneNamed(zone ?? 'UTC')
  }

  /** Parses ids such as vehicle_ids[]=1&vehicle_ids[]=2; null without ids. */
  ids(kind: Kind, name: string): ReadonlySet<number> | null {
    const given = [...this.query.getAll(`${name}[]`), ...this.query.getAll(name)]
    const ids = given.flatMap((value) => value.split(',')).filter((value) => value !== '')
    return ids.length === 0 ? null : new Set(ids.map((value) => numberOf(kind, value)))
  }

  /** Returns the requested vehicles. */
  vehicles(): readonly Vehicle[] {
    const wanted = this.ids('vehicle', 'vehicle_ids')
    return this.company.vehicles().filter(({ number }) => wanted?.has(number) ?? true)
  }

  date(name: string): string | null {
    const value = this.query.get(name)
    if (value !== null && !/^\d{4}-\d\d-\d\d$/.test(value)) throw badRequest(`${name} is invalid`)
    return value
  }

  time(name: string): Ms | null {
    const value = this.query.get(name)
    const time = value === null ? null : Date.parse(value)
    if (Number.isNaN(time)) throw badRequest(`${name} is invalid`)
    return time
  }

  /** Returns the period from start_date to end_date, as days of a zone; by default all time until now. */
  period(zone: Zone): Period {
    const [start, end] = [this.date('start_date'), this.date('end_date')]
    const until = end !== null && (this.is('endDate', 'inclusive') ? zone.endOf(end) : zone.startOf(end))
    return {
      from: start === null ? this.company.world.startsAt : zone.startOf(start),
      to: until === false ? this.company.now + 1 : until,
    }
  }

  /** Whether a change is later than updated_after. */
  isChanged(changedAt: Ms): boolean {
    const after = this.time('updated_after')
    return after === null || changedAt > after
  }
}
