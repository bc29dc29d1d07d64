import { InvalidArgumentError, Option } from 'commander'
import { limitNames, type LimitName } from '../../subgraphs/purchases/policy/limits.ts'
import { RuleAction, type RuleName, ruleNames } from '../../subgraphs/purchases/policy/policy.ts'
import type { PurchaseRuleSettingsInput } from '../../subgraphs/purchases/policy/set-policy-input.ts'
import { daysOfWeek } from '../../subgraphs/purchases/rules/working-hours.ts'
import { oneOfWords } from '../arguments.ts'

/** Options that set actions and limits of purchase rules. */
export interface RuleOptions {
  readonly rule?: readonly PurchaseRuleSettingsInput[]
  readonly limit?: readonly PurchaseRuleSettingsInput[]
}

const ACTIONS = Object.values(RuleAction)

export const RULES_HELP = `Rules: ${ruleNames.join(', ')}
Actions: ${ACTIONS.join(', ')}`

export const ruleOption = (): Option =>
  new Option('--rule <rule=action>', 'action of a rule; can be repeated').argParser(collect(parseAction))

export const limitOption = (): Option =>
  new Option('--limit <rule.limit=value>', 'limit of a rule; can be repeated').argParser(collect(parseLimit))

/** Returns the settings that options give, with one entry for each rule. */
export function settingsOf({ rule = [], limit = [] }: RuleOptions): PurchaseRuleSettingsInput[] {
  const merged = new Map<RuleName, PurchaseRuleSettingsInput>()
  for (const each of [...rule, ...limit]) merged.set(each.rule, { ...merged.get(each.rule), ...each })
  return [...merged.values()]
}

/** Returns a parser of an option that can be repeated. */
const collect =
  <Value>(parse: (text: string) => Value) =>
  (text: string, earlier: readonly Value[] = []): readonly Value[] => [...earlier, parse(text)]

function parseAction(text: string): PurchaseRuleSettingsInput {
  const [name = '', action = ''] = text.split('=')
  return { rule: parseRule(name), action: oneOfWords(ACTIONS)(action) as RuleAction }
}

function parseLimit(text: string): PurchaseRuleSettingsInput {
  const [, name = '', limit = '', value = ''] = /^(\w+)\.(\w+)=(.+)$/.exec(text) ?? []
  if (!(limitNames as readonly string[]).includes(limit))
    throw new InvalidArgumentError(
      `Give a limit like near_merchant.maxDistanceMeters=800. Limits: ${limitNames.join(', ')}.`,
    )
  return { rule: parseRule(name), [limit]: parseValue(limit as LimitName, value) }
}

function parseValue(limit: LimitName, value: string): number | string | readonly string[] {
  if (limit === 'timeZone') return value
  if (limit === 'days') return value.split(',').map(oneOfWords(daysOfWeek))
  if (!/^\d+(\.\d+)?$/.test(value)) throw new InvalidArgumentError(`Give a number as ${limit}.`)
  return Number(value)
}

const parseRule = (name: string): RuleName => oneOfWords(ruleNames)(name)
