import { ArgsType, Field, ID, Int, registerEnumType } from 'type-graphql'
import { invalidArgument } from '../../../domain/errors.ts'
import { DAY_MS } from '../../../domain/models/lookback.ts'
import type { Instant } from '../../../domain/time.ts'
import { DateTime } from '../../schema/scalars.ts'

/** What the checks of a summary have in common. */
export enum PurchaseSummaryBy {
  DAY = 'day',
  VEHICLE = 'vehicle',
  DRIVER = 'driver',
  MERCHANT = 'merchant',
  RULE = 'rule',
}

registerEnumType(PurchaseSummaryBy, {
  name: 'PurchaseSummaryBy',
  description: 'What the checks of a group have in common.',
  valuesConfig: {
    DAY: { description: 'The day of the purchase in UTC. The groups are the latest days, in order of time.' },
    VEHICLE: { description: 'The vehicle.' },
    DRIVER: { description: 'The driver that the caller named. Hidden drivers count as none.' },
    MERCHANT: {
      description:
        'The name and the postal code of the merchant. Case, accents, spaces and punctuation do not count, and in the US only the first five digits of the postal code do.',
    },
    RULE: {
      description:
        'The rule. The group counts the purchases in which the rule failed in any check, in the period of the authorization, with all their captures.',
    },
  },
})

@ArgsType()
export class PurchaseSummaryArgs {
  @Field(() => PurchaseSummaryBy, { description: 'What the checks of a group have in common.' })
  by: PurchaseSummaryBy

  @Field(() => Int, {
    nullable: true,
    description: 'Number of groups. Default 100, maximum 1,000.',
  })
  first?: number | null

  @Field(() => [ID], { nullable: true, description: 'Only checks of these vehicles, at most 50.' })
  vehicleIds?: string[] | null

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Only purchases at or after this time. Default: the start of the day in UTC, 27 days before the last one.',
  })
  purchasedAfter?: Instant | null

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Only purchases before this time, at most 92 days after `purchasedAfter`. Default: the time of the request.',
  })
  purchasedBefore?: Instant | null
}

export const MAX_DAYS = 92
const DEFAULT_DAYS = 28

/** Period of a summary: at or after the start, and before the end. */
export interface SummaryPeriod {
  readonly purchasedAfter: Instant
  readonly purchasedBefore: Instant
}

/** Returns the period of the last days until a time. The first day is whole. */
export const lastDays = (days: number, purchasedBefore: Instant): SummaryPeriod => ({
  purchasedAfter: Math.floor((purchasedBefore - 1) / DAY_MS) * DAY_MS - (days - 1) * DAY_MS,
  purchasedBefore,
})

/** Returns the period of a request. Throws if it is empty or too long. Errors name its members after a prefix. */
export function periodOf(
  { purchasedAfter, purchasedBefore }: Pick<PurchaseSummaryArgs, 'purchasedAfter' | 'purchasedBefore'>,
  now: Instant,
  prefix = '',
): SummaryPeriod {
  const end = purchasedBefore ?? now
  const period =
    purchasedAfter == null ? lastDays(DEFAULT_DAYS, end) : { purchasedAfter, purchasedBefore: end }
  if (period.purchasedAfter >= end)
    throw invalidArgument(
      `${prefix}purchasedAfter`,
      '`purchasedAfter` must be before `purchasedBefore`, which is by default the time of the request.',
    )
  if (end - period.purchasedAfter > MAX_DAYS * DAY_MS)
    throw invalidArgument(
      `${prefix}purchasedAfter`,
      `The period must have at most ${MAX_DAYS} days. Request a longer one in parts, and add them.`,
    )
  return period
}
