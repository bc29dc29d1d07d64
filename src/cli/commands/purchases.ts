import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import type { Instant } from '../../domain/time.ts'
import { toIso } from '../../domain/time.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { createVisibleReads } from '../../subgraphs/tables/visible-reads.ts'
import { assignCard, unassignCard } from '../../subgraphs/purchases/cards/assign-card.ts'
import { PurchaseCard } from '../../subgraphs/purchases/cards/purchase-card.ts'
import { readEffectivePolicy, readPolicies } from '../../subgraphs/purchases/policy/effective-policy.ts'
import { PurchaseStage } from '../../subgraphs/purchases/policy/policy.ts'
import { APPLICATION_TARGET } from '../../subgraphs/purchases/policy/policy-target.ts'
import { settingsList, StoredPurchasePolicy } from '../../subgraphs/purchases/policy/purchase-policy.ts'
import { setPurchasePolicy, targetIn } from '../../subgraphs/purchases/policy/set-policy.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { idOf, oneOfWords, parseTime, wholeNumberBetween } from '../arguments.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { findApplicationById } from '../find-application.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { addNetworkCommands } from './purchase-networks.ts'
import { addReplayCommand } from './purchase-replay.ts'
import { limitOption, ruleOption, type RuleOptions, RULES_HELP, settingsOf } from './purchase-rule-options.ts'
import { addSiteCommands } from './purchase-sites.ts'
import { addSummaryCommand } from './purchase-summary.ts'

interface SetPolicyOptions extends ApplicationOption, RuleOptions {
  readonly stage?: PurchaseStage
  readonly tag?: string
  readonly target?: string
  readonly effectiveAt?: Instant
}

interface AssignCardOptions extends ApplicationOption {
  readonly card: string
  readonly vehicle?: string
  readonly driver?: string
}

const APPLICATION = 'app_01M7XZ3JF90H8EC8HYVB2R0P6F'
const table = tableOf(StoredPurchasePolicy)
const cardTable = tableOf(PurchaseCard)

/** Commands for fuel cards, card networks, sites, the policies of purchase checks, sums over checks, and replays. */
export const purchaseCommandGroup: CommandGroup = {
  addTo(group: Command) {
    const command = (name: string, description: string) => applicationCommand(group, name, description)
    addSummaryCommand(group)
    addReplayCommand(group)
    command('policy', 'show the policy that applies to the application now').action(withCommandContext(show))
    command('policies', 'list all policies that were set, newest first').action(withCommandContext(list))
    command('cards', 'list the fuel cards that are assigned')
      .option('--after <id>', 'start after this assignment, by its id (pcd_…)', idOf('purchaseCard'))
      .option('--limit <n>', 'maximum number of cards', wholeNumberBetween(1, 10_000), 100)
      .action(withCommandContext(listCards))
    command('unassign-card', 'end the assignment of a fuel card')
      .requiredOption('--card <id>', 'your own id of the card')
      .action(withCommandContext(unassign))
    command('assign-card', 'assign a fuel card to a vehicle, a driver or both')
      .requiredOption('--card <id>', 'your own id of the card')
      .option('--vehicle <id>', 'the vehicle that the card belongs to')
      .option('--driver <id>', 'the driver who has the card')
      .action(withCommandContext(assign))
    addSiteCommands(group)
    addNetworkCommands(group)
    command('set-policy', 'set the policy of the application, or of a part of it')
      .option(
        '--stage <stage>',
        'v0 logs; v1 decides by location, v2 by fuel too, v3 by state too',
        oneOfWords(STAGES),
      )
      .option('--tag <tag>', 'only for the connections with this tag')
      .option('--target <id>', 'only for this connection, group or vehicle')
      .addOption(ruleOption())
      .addOption(limitOption())
      .option('--effective-at <time>', 'from when on it applies; default: now', parseTime)
      .addHelpText('after', HELP)
      .action(withCommandContext(set))
  },
}

const STAGES = Object.values(PurchaseStage)

const HELP = `
${RULES_HELP}
What is left out is inherited. \`odograph purchases policy --application ID\` shows all limits.

Example:
  $ odograph purchases set-policy --application ${APPLICATION} --stage v1 \\
      --rule one_card_two_places=confirm --limit near_merchant.maxDistanceMeters=800
  $ odograph purchases set-policy --application ${APPLICATION} \\
      --limit working_hours.fromHour=6 --limit working_hours.untilHour=20 \\
      --limit working_hours.days=monday,tuesday,wednesday,thursday,friday`

async function show(
  { db, clock, output }: CommandContext,
  { application }: ApplicationOption,
): Promise<void> {
  await findApplicationById({ db }, application)
  const targets = [APPLICATION_TARGET]
  const policy = await readEffectivePolicy(db, { applicationId: application }, targets, clock.now())
  output.say(`Policy ${policy.version}, stage ${policy.stage}.`)
  output.list(
    settingsList(policy.rules).map(({ rule, action, ...limits }): Cells => ({
      rule,
      action,
      limits: Object.entries(limits)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    })),
  )
}

async function list({ db, output }: CommandContext, { application }: ApplicationOption): Promise<void> {
  await findApplicationById({ db }, application)
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_policies\` WHERE \`applicationId\` = ? ORDER BY \`version\` DESC`,
    [application],
  )
  output.list(rows.map((row) => cells(table.toRow(row))))
}

interface ListCardsOptions extends ApplicationOption {
  readonly after?: string
  readonly limit: number
}

async function listCards(
  { db, output }: CommandContext,
  { application, after = '', limit }: ListCardsOptions,
): Promise<void> {
  await findApplicationById({ db }, application)
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${cardTable.selected} FROM \`purchase_cards\` WHERE \`applicationId\` = ? AND \`id\` > ?
      ORDER BY \`id\` LIMIT ${limit + 1}`,
    [application, after],
  )
  const cards = rows.slice(0, limit).map((row) => cardTable.toRow(row))
  output.list(cards.map(cardCells))
  if (rows.length > cards.length) output.say(`There are more: use --after ${cards.at(-1)?.id}`)
}

async function unassign(
  { db, clock, output }: CommandContext,
  { application, card: cardId }: Pick<AssignCardOptions, 'application' | 'card'>,
): Promise<void> {
  await findApplicationById({ db }, application)
  const isUnassigned = await unassignCard({ db, clock }, keyHolder(application), { cardId })
  if (!isUnassigned)
    throw new CliError(`The application has no assignment of the card ${cardId}: nothing was removed.`)
  output.say(`The card ${cardId} is assigned to no vehicle and no driver.`)
}

async function assign(
  { db, clock, output }: CommandContext,
  { application, card: cardId, vehicle, driver }: AssignCardOptions,
): Promise<void> {
  await findApplicationById({ db }, application)
  const input = { cardId, vehicleId: vehicle ?? null, driverId: driver ?? null }
  const caller = keyHolder(application)
  const requester = { caller, visible: createVisibleReads(db, caller) }
  output.one(cardCells(await assignCard({ db, clock }, requester, input)))
}

const cardCells = ({ id, cardId, vehicleId, driverId, assignedAt }: PurchaseCard): Cells => ({
  id,
  cardId,
  vehicleId,
  driverId,
  assignedAt: toIso(assignedAt),
})

async function set(
  { db, clock, output }: CommandContext,
  { application, stage, tag, target, rule, limit, effectiveAt }: SetPolicyOptions,
): Promise<void> {
  await findApplicationById({ db }, application)
  const input = {
    stage: stage ?? null,
    tag: tag ?? null,
    targetId: target ?? null,
    rules: settingsOf({ rule, limit }),
    effectiveAt: effectiveAt ?? null,
  }
  const [earlier] = await readPolicies(
    db,
    { applicationId: application },
    [targetIn(input)],
    effectiveAt ?? clock.now(),
  )
  const policy = await setPurchasePolicy({ db, clock }, keyHolder(application), input)
  output.one(cells(policy))
  const kept = new Set(settingNames(policy))
  const dropped = earlier ? settingNames(earlier).filter((name) => !kept.has(name)) : []
  if (dropped.length > 0)
    output.say(`Settings of policy ${earlier!.version} that it no longer has: ${dropped.join(', ')}`)
}

/** Returns the names of the settings of a policy, such as `near_merchant` for its action. */
const settingNames = ({ settings }: StoredPurchasePolicy): string[] =>
  Object.entries(settings).flatMap(([rule, { action, limits }]) => [
    ...(action ? [rule] : []),
    ...Object.keys(limits).map((limit) => `${rule}.${limit}`),
  ])

const cells = ({ id, version, target, stage, settings, effectiveAt }: StoredPurchasePolicy): Cells => ({
  id,
  version,
  target: target === APPLICATION_TARGET ? 'application' : target,
  stage: stage ?? 'inherited',
  rules: settingsList(settings)
    .map(({ rule }) => rule)
    .join(','),
  effectiveAt: toIso(effectiveAt),
})
