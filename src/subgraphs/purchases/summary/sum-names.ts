/** Stages that a summary compares. */
export const stageKeys = ['v1', 'v2', 'v3'] as const

export type StageKey = (typeof stageKeys)[number]

/** Names of the numbers of purchases by stage, with the decision that each counts. */
export const purchaseCountsByStage = {
  wouldDecline: 'decline',
  wouldConfirm: 'confirm',
  wouldBeUnknown: 'unknown',
} as const

/** Names of the numbers of captures by stage, with the decision that each counts. */
export const captureCountsByStage = {
  capturesWouldDecline: 'decline',
  capturesWouldConfirm: 'confirm',
  capturesWouldBeUnknown: 'unknown',
} as const

type ByStage<Name extends string> = `${Name}${Uppercase<StageKey>}`
export type CountByStageName = keyof typeof purchaseCountsByStage | keyof typeof captureCountsByStage

/** Returns the name of a sum for a stage: `wouldDecline` and `v1` give `wouldDeclineV1`. */
export const nameForStage = <Name extends string>(name: Name, stage: StageKey): ByStage<Name> =>
  `${name}${stage.toUpperCase() as Uppercase<StageKey>}`

const namesForStages = <Name extends string>(names: readonly Name[]): ByStage<Name>[] =>
  names.flatMap((name) => stageKeys.map((stage) => nameForStage(name, stage)))

/** Returns an object with a value for each stage. */
export const forEachStage = <Value>(valueOf: (stage: StageKey) => Value): Record<StageKey, Value> => ({
  v1: valueOf('v1'),
  v2: valueOf('v2'),
  v3: valueOf('v3'),
})

const plainCountNames = [
  'purchases',
  'checks',
  'authorizations',
  'captures',
  'declined',
  'confirm',
  'unknown',
  'flagged',
] as const

type CountName = (typeof plainCountNames)[number] | ByStage<CountByStageName>

/** Names of the numbers that a group counts. */
export const countNames: readonly CountName[] = [
  plainCountNames,
  namesForStages(Object.keys(purchaseCountsByStage) as (keyof typeof purchaseCountsByStage)[]),
  namesForStages(Object.keys(captureCountsByStage) as (keyof typeof captureCountsByStage)[]),
].flat()

export type Counts = Record<CountName, number>

type MoneyName = 'spend' | 'avoided' | ByStage<'wouldAvoid'>

/** Names of the sums of money, which a group has for each currency. */
export const moneyNames: readonly MoneyName[] = ['spend', 'avoided', ...namesForStages(['wouldAvoid'])]

/** Row of sums over the checks of a group with one currency. Drivers may return sums as texts. */
export type SummaryRow = Readonly<Record<CountName | MoneyName, number | string>> & {
  readonly key1: string | number | null
  readonly key2: string | null
  /** Country of a merchant, by which its postal code is read. */
  readonly country: string | null
  readonly currency: string
  readonly liters: number | string | null
}

export type MoneySums = Readonly<Record<MoneyName, Map<string, number>>>
