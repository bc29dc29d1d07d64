import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'commander'
import { type Caller, keyHolder } from '../../auth/caller.ts'
import { toIso } from '../../domain/time.ts'
import type { Rows } from '../../storage/database.ts'
import type { DecisionByStage, PurchaseDecision } from '../../subgraphs/purchases/policy/decide.ts'
import { PurchaseStage } from '../../subgraphs/purchases/policy/policy.ts'
import { PurchasePhase } from '../../subgraphs/purchases/purchase-enums.ts'
import type { ReplayInput } from '../../subgraphs/purchases/replays/past-purchase.ts'
import type { PurchaseReplay } from '../../subgraphs/purchases/replays/purchase-replay.ts'
import type { PurchaseReplaySummary } from '../../subgraphs/purchases/replays/replay-summary.ts'
import { batchesOf, ConcurrentReplay, runReplay } from '../../subgraphs/purchases/replays/run-replay.ts'
import { startReplay } from '../../subgraphs/purchases/replays/start-replay.ts'
import { storedChecks } from '../../subgraphs/purchases/replays/stored-checks.ts'
import { replayedPurchases } from '../../subgraphs/purchases/replays/summarize-replay.ts'
import { stageKeys } from '../../subgraphs/purchases/summary/sum-names.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { EXPORT_FORMATS } from '../card-exports/built-in-mappings.ts'
import { readCardExport } from '../card-exports/read-card-export.ts'
import { readColumnMapping } from '../card-exports/read-column-mapping.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { csvLine, type RejectedRow } from '../csv.ts'
import { findApplicationById } from '../find-application.ts'
import { type Cells, type Output, withShare } from '../output.ts'
import { limitOption, ruleOption, type RuleOptions, RULES_HELP, settingsOf } from './purchase-rule-options.ts'
import {
  chosenPeriod,
  daysOption,
  type PeriodOptions,
  sinceOption,
  untilOption,
} from './purchase-period-options.ts'

interface ReplayOptions extends ApplicationOption, RuleOptions, PeriodOptions {
  readonly format?: string
  readonly timeZone?: string
  readonly output?: string
}

const DEFAULT_FORMAT = 'odograph'

/** Adds the command that replays past purchases. */
export const addReplayCommand = (group: Command): Command =>
  applicationCommand(
    group,
    'replay [file]',
    'decide on the past purchases in a CSV file, or on the checks of a period, with other limits',
  )
    .option(
      '--format <name>',
      `${EXPORT_FORMATS.join(', ')}, or a JSON file that maps columns; default: ${DEFAULT_FORMAT}`,
    )
    .option('--time-zone <name>', 'time zone of times without one, such as America/Chicago')
    .addOption(daysOption())
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(ruleOption())
    .addOption(limitOption())
    .option('--output <file>', 'CSV file for the decision and the reasons of each purchase')
    .addHelpText('after', HELP)
    .action(withCommandContext(replay))

const HELP = `
Each purchase is decided with what Odograph had received by then: later data does not help. Data from
before the connection counts as received after the usual delay of the vehicle. No check is recorded.
The decisions are those of the policies that apply now, and with --rule or --limit also of these.
Without a file, it replays the recorded checks of --days, or from --since until --until.
Bad rows are left out and listed with their line; the exit code is then 1. - is standard input.
If the command is interrupted, run it again: it continues, unless a check was added to the period.
Results are kept for 30 days.

${RULES_HELP}

Example:
  $ odograph purchases replay purchases.csv --application app_01M7XZ3JF90H8EC8HYVB2R0P6F \\
      --limit near_merchant.maxDistanceMeters=800 --output decisions.csv`

async function replay(context: CommandContext, options: ReplayOptions, file?: string): Promise<void> {
  const { db, clock, output } = context
  const { application } = options
  await findApplicationById(context, application)
  const caller = keyHolder(application)
  const { inputs, rejected } = await (file === undefined
    ? inputsOfChecks(context, caller, options)
    : inputsOfFile(context, caller, options, file))
  const rules = settingsOf(options)
  const started = await startReplay({ db, clock }, caller, inputs, rules)
  if (started.done > 0) output.say(`${started.done} of ${started.total} purchases were replayed before`)
  // Opened before the replay: a mistyped folder must not cost its time.
  await using results = options.output === undefined ? null : await openFile(options.output)
  const onProgress = progressOf(output, started)
  const ended = await runReplay({ db, clock, onProgress }, caller, started, batchesOf(inputs)).catch(
    refuseConcurrent,
  )
  if (results) await writeResults(db, ended, inputs, results)
  output.one({ replay: ended.id, ...cells(ended.summary!, rules.length > 0), rejected })
  if (rejected.length > 0) process.exitCode = 1
}

function refuseConcurrent(error: unknown): never {
  if (!(error instanceof ConcurrentReplay)) throw error
  throw new CliError(`${error.message}: wait until it has ended, then run the command again`)
}

interface ReplayInputs {
  /** Purchases in the order of their time. */
  readonly inputs: readonly ReplayInput[]
  readonly rejected: readonly RejectedRow[]
}

async function inputsOfFile(
  { db, clock }: CommandContext,
  caller: Caller,
  { format = DEFAULT_FORMAT, timeZone, output, days, since, until }: ReplayOptions,
  file: string,
): Promise<ReplayInputs> {
  if ([days, since, until].some((value) => value !== undefined))
    throw new CliError('--days, --since and --until choose recorded checks: leave them out with a file', 2)
  if (output !== undefined && resolve(output) === resolve(file))
    throw new CliError('--output must not be the file with the purchases', 2)
  const mapping = await readColumnMapping(format)
  const { purchases, rejected } = await readCardExport({ db, clock }, caller, file, {
    mapping,
    timeZone: timeZone ?? null,
  })
  if (purchases.length === 0) {
    const [{ line, reason } = {}] = rejected
    throw new CliError(
      `${file === '-' ? 'standard input' : file} has no purchase that can be replayed. Line ${String(line)}: ${String(reason)}`,
    )
  }
  const inputs = purchases
    .toSorted((one, other) => one.purchase.purchasedAt - other.purchase.purchasedAt)
    .map((purchase) => ({ ...purchase, checkId: null }))
  return { inputs, rejected }
}

async function inputsOfChecks(
  { db, clock }: CommandContext,
  caller: Caller,
  options: ReplayOptions,
): Promise<ReplayInputs> {
  if (options.format !== undefined || options.timeZone !== undefined)
    throw new CliError('--format and --time-zone are for a file: give one, or leave them out', 2)
  const now = clock.now()
  const period = { ...chosenPeriod(options, now), checkedUntil: now }
  const inputs: ReplayInput[] = []
  for await (const batch of storedChecks(db, caller, period)) inputs.push(...batch)
  if (inputs.length === 0) throw new CliError('the period has no recorded checks')
  return { inputs, rejected: [] }
}

/** Returns a function that prints the progress of a replay, at most once in five percent. */
function progressOf({ say }: Output, { total, done }: PurchaseReplay): (done: number) => void {
  const partOf = (count: number) => Math.floor((20 * count) / total)
  let shown = partOf(done)
  return (count) => {
    if (partOf(count) === shown) return
    shown = partOf(count)
    say(`${count} of ${total} purchases replayed`)
  }
}

function cells(
  { checks, withoutVehicle, withAssumedReceipt, days, decisions, rules }: PurchaseReplaySummary,
  isTried: boolean,
): Cells {
  const countOf = (phase: PurchasePhase) => totalOf(decisions.find((sums) => sums.phase === phase)!.current)
  return {
    authorizations: countOf(PurchasePhase.AUTHORIZATION),
    captures: countOf(PurchasePhase.CAPTURE),
    days,
    withoutVehicle,
    withAssumedReceipt,
    decisions: shownStages(decisions).flatMap(({ phase, stage, current, tried }) => [
      { phase, stage, ...decisionCells(current, days) },
      ...(isTried ? [{ phase, stage: `${stage} tried`, ...decisionCells(tried, days) }] : []),
    ]),
    rules: rules.flatMap(({ rule, current, tried }) => {
      if (current.fail + current.unknown + tried.fail + tried.unknown === 0) return []
      const triedCells = {
        triedFailed: tried.fail,
        triedLackedFacts: withShare(tried.unknown, checks),
      }
      const own = { rule, failed: current.fail, lackedFacts: withShare(current.unknown, checks) }
      return [isTried ? { ...own, ...triedCells } : own]
    }),
  }
}

/** Returns the stages of phases with purchases. V3 is left out while it decides as V2. */
function shownStages(decisions: PurchaseReplaySummary['decisions']): PurchaseReplaySummary['decisions'] {
  const shown = decisions.filter(({ current }) => totalOf(current) > 0)
  const countsOf = (wanted: PurchaseStage) =>
    shown.filter(({ stage }) => stage === wanted).map(({ current, tried }) => [current, tried])
  const decidesAsV2 = isDeepStrictEqual(countsOf(PurchaseStage.V3), countsOf(PurchaseStage.V2))
  return decidesAsV2 ? shown.filter(({ stage }) => stage !== PurchaseStage.V3) : shown
}

const totalOf = (counts: Readonly<Record<PurchaseDecision, number>>): number =>
  counts.approve + counts.decline + counts.confirm + counts.unknown

const decisionCells = (counts: Readonly<Record<PurchaseDecision, number>>, days: number): Cells => ({
  approves: counts.approve,
  declines: counts.decline,
  declinesADay: Math.round((100 * counts.decline) / days) / 100,
  confirms: counts.confirm,
  unknown: withShare(counts.unknown, totalOf(counts)),
})

const OUTPUT_COLUMNS = [
  'line',
  'checkId',
  'purchasedAt',
  'vehicleId',
  'cardId',
  'phase',
  'merchantName',
  'amount',
  'currency',
  'liters',
  'v1',
  'v2',
  'v3',
  'triedV1',
  'triedV2',
  'triedV3',
  'reasons',
]

const openFile = (path: string): Promise<FileHandle> =>
  open(path, 'w').catch((error: Error) => {
    throw new CliError(`cannot write ${path}: ${error.message}`)
  })

/** Writes the decisions on all purchases, in the order of their time. */
async function writeResults(
  db: Rows,
  replay: PurchaseReplay,
  inputs: readonly ReplayInput[],
  file: FileHandle,
): Promise<void> {
  const purchases = new Map(inputs.map(({ line, checkId, purchase }) => [checkId ?? line, purchase]))
  const decisionsOf = (decisions: DecisionByStage) => stageKeys.map((stage) => decisions[stage])
  await file.write(csvLine(OUTPUT_COLUMNS))
  for await (const { line, checkId, result } of replayedPurchases(db, replay)) {
    const bought = purchases.get(checkId ?? line)!
    const { purchasedAt, vehicleId, cardId, phase, merchant, amount, fuel } = bought
    const cells = [line, checkId, toIso(purchasedAt), vehicleId, cardId, phase]
    cells.push(merchant.name, amount.value, amount.currency, fuel?.liters ?? null)
    cells.push(...decisionsOf(result.current), ...decisionsOf(result.tried))
    cells.push(result.findings.map(({ rule, outcome, text }) => `${rule} ${outcome}: ${text}`).join(' '))
    await file.write(csvLine(cells))
  }
}
