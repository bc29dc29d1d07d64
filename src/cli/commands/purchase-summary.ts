import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { toIso } from '../../domain/time.ts'
import type { PurchaseAmount } from '../../subgraphs/purchases/merchant.ts'
import type { PurchaseSummaryGroup } from '../../subgraphs/purchases/summary/purchase-summary.ts'
import {
  lastDays,
  MAX_DAYS,
  PurchaseSummaryBy,
} from '../../subgraphs/purchases/summary/purchase-summary-args.ts'
import { summarizePurchases } from '../../subgraphs/purchases/summary/summarize-purchases.ts'
import { createVisibleReads } from '../../subgraphs/tables/visible-reads.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { oneOfWords, wholeNumberBetween } from '../arguments.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { findApplicationById } from '../find-application.ts'
import type { Cells } from '../output.ts'

interface SummaryOptions extends ApplicationOption {
  readonly by: PurchaseSummaryBy
  readonly days: number
  readonly limit: number
}

/** Adds the command that sums checks of purchases. */
export const addSummaryCommand = (group: Command): Command =>
  applicationCommand(group, 'summary', 'sum the checks of purchases of the last days')
    .option('--by <what>', 'day, vehicle, driver, merchant or rule', parseBy, PurchaseSummaryBy.RULE)
    .option('--days <n>', 'number of days in UTC, with today', wholeNumberBetween(1, MAX_DAYS), 28)
    .option('--limit <n>', 'maximum number of groups', wholeNumberBetween(1, 1000), 100)
    .action(withCommandContext(summarize))

const parseBy = (text: string): PurchaseSummaryBy =>
  oneOfWords(Object.values(PurchaseSummaryBy))(text) as PurchaseSummaryBy

async function summarize(
  { db, clock, output }: CommandContext,
  { application, by, days, limit }: SummaryOptions,
): Promise<void> {
  await findApplicationById({ db }, application)
  const caller = keyHolder(application)
  const requester = { caller, visible: createVisibleReads(db, caller) }
  const args = { by, first: limit, ...lastDays(days, clock.now()) }
  const { groups, totalGroups, purchasedAfter, purchasedBefore } = await summarizePurchases(
    { db, clock },
    requester,
    args,
    null,
  )
  output.say(`Purchases from ${toIso(purchasedAfter)} to ${toIso(purchasedBefore)}`)
  output.list(output.json ? groups.map((group): Cells => ({ ...group })) : groups.map(cells(by)))
  if (totalGroups > groups.length) output.say(`${totalGroups - groups.length} more are left out: use --limit`)
}

const cells =
  (by: PurchaseSummaryBy) =>
  (group: PurchaseSummaryGroup): Cells => {
    const { purchases, flagged, declined, wouldDecline, wouldBeUnknown } = group
    const unknownShare = (count: number) => withShare(count, purchases)
    return {
      ...keyCells(by, group),
      purchases,
      spend: amountsText(group.spend),
      liters: group.liters,
      flagged,
      declined,
      unknown: unknownShare(group.unknown),
      v1Declines: wouldDecline.v1,
      v1Unknown: unknownShare(wouldBeUnknown.v1),
      v2Declines: wouldDecline.v2,
      v2Unknown: unknownShare(wouldBeUnknown.v2),
      v3Declines: wouldDecline.v3,
      v3Unknown: unknownShare(wouldBeUnknown.v3),
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

const withShare = (count: number, total: number): string =>
  count === 0 ? '0' : `${count} (${Math.round((100 * count) / total)} %)`

const amountsText = (amounts: readonly PurchaseAmount[]): string =>
  amounts.map(({ currency, value }) => `${value.toFixed(2)} ${currency}`).join(', ')
