import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { toIso } from '../../domain/time.ts'
import type { PurchaseAmount } from '../../subgraphs/purchases/merchant.ts'
import type { PurchaseSummaryGroup } from '../../subgraphs/purchases/summary/purchase-summary.ts'
import { PurchaseSummaryBy } from '../../subgraphs/purchases/summary/purchase-summary-args.ts'
import { type StageKey, stageKeys } from '../../subgraphs/purchases/summary/sum-names.ts'
import { summarizePurchases } from '../../subgraphs/purchases/summary/summarize-purchases.ts'
import { createVisibleReads } from '../../subgraphs/tables/visible-reads.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { oneOfWords, wholeNumberBetween } from '../arguments.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { findApplicationById } from '../find-application.ts'
import { type Cells, withShare } from '../output.ts'
import {
  chosenPeriod,
  daysOption,
  type PeriodOptions,
  sinceOption,
  untilOption,
} from './purchase-period-options.ts'

interface SummaryOptions extends ApplicationOption, PeriodOptions {
  readonly by: PurchaseSummaryBy
  readonly vehicle?: string
  readonly limit: number
}

/** Adds the command that sums checks of purchases. */
export const addSummaryCommand = (group: Command): Command =>
  applicationCommand(group, 'summary', 'sum the checks of purchases of the last days, or of another period')
    .option('--by <what>', 'day, vehicle, driver, merchant or rule', parseBy, PurchaseSummaryBy.RULE)
    .addOption(daysOption())
    .addOption(sinceOption())
    .addOption(untilOption())
    .option('--vehicle <id>', 'only this vehicle')
    .option('--limit <n>', 'maximum number of groups', wholeNumberBetween(1, 1000), 100)
    .action(withCommandContext(summarize))

const parseBy = (text: string): PurchaseSummaryBy =>
  oneOfWords(Object.values(PurchaseSummaryBy))(text) as PurchaseSummaryBy

async function summarize({ db, clock, output }: CommandContext, options: SummaryOptions): Promise<void> {
  const { application, by, limit, vehicle } = options
  await findApplicationById({ db }, application)
  const caller = keyHolder(application)
  const requester = { caller, visible: createVisibleReads(db, caller) }
  const vehicleIds = vehicle === undefined ? null : [vehicle]
  const args = { by, first: limit, vehicleIds, ...chosenPeriod(options, clock.now()) }
  const summary = await summarizePurchases({ db, clock }, requester, args, null)
  const { groups, totalGroups } = summary
  const period = {
    purchasedAfter: toIso(summary.purchasedAfter),
    purchasedBefore: toIso(summary.purchasedBefore),
  }
  output.say(`Purchases from ${period.purchasedAfter} to ${period.purchasedBefore}`)
  if (output.json) output.one({ ...period, totalGroups, groups })
  else output.list(groups.map(cells(by, stagesIn(groups))))
  if (totalGroups > groups.length)
    output.say(`${totalGroups - groups.length} of ${totalGroups} groups are left out: use --limit`)
}

/** Returns the stages that the table shows. V3 is left out while it decides as V2. */
function stagesIn(groups: readonly PurchaseSummaryGroup[]): readonly StageKey[] {
  const decidesAsV2 = groups.every((group) =>
    isDeepStrictEqual(Object.values(stageCells('v3', group)), Object.values(stageCells('v2', group))),
  )
  return decidesAsV2 ? ['v1', 'v2'] : stageKeys
}

const cells =
  (by: PurchaseSummaryBy, stages: readonly StageKey[]) =>
  (group: PurchaseSummaryGroup): Cells => {
    const { purchases, liters, flagged, declined, confirm } = group
    const isByRule = by === PurchaseSummaryBy.RULE
    return {
      ...keyCells(by, group),
      purchases,
      spend: amountsText(group.spend),
      liters,
      avoided: amountsText(group.avoided),
      flagged,
      declined,
      confirm,
      // The groups of rules lack the purchases in which the rule did not fail.
      ...(isByRule ? {} : { unknown: withShare(group.unknown, purchases) }),
      ...(Object.assign({}, ...stages.map((stage) => stageCells(stage, group))) as Cells),
    }
  }

/** Returns the cells of a stage. */
function stageCells(stage: StageKey, group: PurchaseSummaryGroup): Cells {
  const { purchases, wouldDecline, wouldAvoid, wouldConfirm, wouldBeUnknown, capturesWouldDecline } = group
  return {
    [`${stage}Declines`]: wouldDecline[stage],
    [`${stage}Avoids`]: amountsText(wouldAvoid[stage]),
    [`${stage}Confirms`]: wouldConfirm[stage],
    ...(wouldBeUnknown && { [`${stage}Unknown`]: withShare(wouldBeUnknown[stage], purchases) }),
    [`${stage}DeclinedCaptures`]: capturesWouldDecline[stage],
  }
}

/** Returns the cells that name a group. */
function keyCells(by: PurchaseSummaryBy, group: PurchaseSummaryGroup): Cells {
  switch (by) {
    case PurchaseSummaryBy.DAY:
      return { day: group.day }
    case PurchaseSummaryBy.VEHICLE:
      return { vehicle: group.vehicleId }
    case PurchaseSummaryBy.DRIVER:
      return { driver: group.driverId }
    case PurchaseSummaryBy.MERCHANT:
      return { merchant: group.merchantName, postalCode: group.merchantPostalCode }
    case PurchaseSummaryBy.RULE: {
      const { failed = 0, passed = 0, unknown = 0 } = group.ruleResults ?? {}
      return { rule: group.rule, failed, passed, lackedFacts: withShare(unknown, failed + passed + unknown) }
    }
  }
}

const amountsText = (amounts: readonly PurchaseAmount[]): string =>
  amounts.map(({ currency, value }) => `${value.toFixed(2)} ${currency}`).join(', ')
