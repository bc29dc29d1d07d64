import type { Call } from '../kit/http.ts'
import type { Ms, Vehicle } from '../world/truth.ts'
import type { ledger, MotiveSwitches } from './behaviours.ts'
import type { Company } from './company.ts'
import { type Kind, numberOf } from './ids.ts'
import { badRequest } from './refusal.ts'
import { zoneOf } from './wording.ts'
import type { Zone } from './zone.ts'

export interface Period {
  readonly from: Ms
  readonly to: Ms
}

/** A request of somebody who may make it. */
export class Asked {
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

  /** Where the fake itself is. */
  get origin(): string {
    return `http://${this.call.headers.host}`
  }

  is(behaviour: keyof typeof ledger, position: string): boolean {
    return this.switches.is(behaviour, position)
  }

  /** Whether something is told in metric units: its own, unless it is asked for others and that counts. */
  isMetric(own: boolean): boolean {
    const wanted = this.call.headers['x-metric-units']
    return wanted !== undefined && this.is('metricHeader', 'honoured') ? wanted === 'true' : own
  }

  /** Whose dates those of the query are. */
  get zone(): Zone {
    const name = this.call.headers['x-time-zone']
    const zone = name === undefined ? 'UTC' : zoneOf(String(name))
    if (zone === null && this.is('unknownZone', 'refused')) throw badRequest('Invalid time zone')
    return this.company.zoneNamed(zone ?? 'UTC')
  }

  /** vehicle_ids[]=1&vehicle_ids[]=2 */
  ids(kind: Kind, name: string): ReadonlySet<number> | null {
    const given = [...this.query.getAll(`${name}[]`), ...this.query.getAll(name)]
    const ids = given.flatMap((value) => value.split(',')).filter((value) => value !== '')
    return ids.length === 0 ? null : new Set(ids.map((value) => numberOf(kind, value)))
  }

  /** The vehicles that are asked for. */
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

  /** From start_date to end_date, days of a zone; open where it is not given. */
  period(zone: Zone): Period {
    const [start, end] = [this.date('start_date'), this.date('end_date')]
    const until = end !== null && (this.is('endDate', 'inclusive') ? zone.endOf(end) : zone.startOf(end))
    return {
      from: start === null ? this.company.world.startsAt : zone.startOf(start),
      to: until === false ? this.company.now + 1 : until,
    }
  }

  /** What changed after the time that is asked for. */
  isChanged(changedAt: Ms): boolean {
    const after = this.time('updated_after')
    return after === null || changedAt > after
  }
}
