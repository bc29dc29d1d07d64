import { registerEnumType } from 'type-graphql'
import { DayOfWeek } from '../../domain/calendar.ts'
import { CapacitySource } from './evidence/capacity-source.ts'
import { FuelProduct } from './fuel-product.ts'
import { MerchantPlaceSource } from './evidence/merchant-place-source.ts'
import { PurchaseDecision } from './policy/decide.ts'
import { PurchaseStage, RuleAction, type RuleName, ruleNames } from './policy/policy.ts'
import { RuleOutcome } from './rules/rule.ts'
import { daysOfWeek } from './rules/working-hours.ts'

/** When in its course a purchase is checked. */
export enum PurchasePhase {
  AUTHORIZATION = 'authorization',
  CAPTURE = 'capture',
}

/** Stored names of rules by GraphQL enum value: `NEAR_MERCHANT` stands for `near_merchant`. */
export const PurchaseRuleEnum = Object.fromEntries(ruleNames.map((name) => [name.toUpperCase(), name]))

const descriptions: Readonly<Record<RuleName, string>> = {
  near_merchant: 'The vehicle can have been at the merchant. V1.',
  fresh_position: 'The position was measured close to the time of the purchase. V1.',
  standing: 'The vehicle did not drive. V1.',
  connected: 'The fleet uses the vehicle, and its data arrives. V1.',
  driver_matches: 'The driver of the purchase drives the vehicle. V1.',
  one_card_two_places: 'No other purchase is too far away for one vehicle. V1.',
  tank_fits: 'The tank has room for the liters. V2.',
  product_matches: 'The vehicle uses the product. V2.',
  working_hours: 'The purchase is within the working hours of the policy. V2.',
  frequency: 'The card or the vehicle has not been used too often. V2.',
  level_rose: 'After a capture, the fuel level has risen by the liters. V2.',
  level_kept: 'After a capture, the fuel level does not drop while the vehicle stands. V2.',
  jurisdiction: 'The vehicle can have been in the state or province of the merchant. V3.',
}

registerEnumType(PurchaseRuleEnum, {
  name: 'PurchaseRule',
  description: 'A rule of purchase checks, with the stage that it belongs to.',
  valuesConfig: Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name.toUpperCase(), { description }]),
  ),
})

registerEnumType(FuelProduct, {
  name: 'FuelProduct',
  description: 'What is bought at a pump.',
  valuesConfig: {
    GASOLINE: { description: 'Gasoline of any grade.' },
    DIESEL: { description: 'Diesel for roads.' },
    DYED_DIESEL: { description: 'Untaxed diesel, which roads do not permit.' },
    DEF: { description: 'Diesel exhaust fluid.' },
    PROPANE: { description: 'Propane.' },
    ELECTRICITY: { description: 'Electricity at a charging station.' },
    OTHER: { description: 'Any other product.' },
  },
})

registerEnumType(MerchantPlaceSource, {
  name: 'MerchantPlaceSource',
  description: 'What the place of a merchant is known from.',
  valuesConfig: {
    SITE: { description: 'From a site of your own.' },
    COORDINATES: { description: 'The coordinates of the merchant.' },
    LEARNT: { description: 'Confirmed purchases of the merchant.' },
    POSTAL_CODE: { description: 'The postal code of its address.' },
    CITY: { description: 'The city and the state of its address.' },
  },
})

registerEnumType(PurchasePhase, {
  name: 'PurchasePhase',
  description: 'When in its course a purchase is checked.',
  valuesConfig: {
    AUTHORIZATION: { description: 'Before fuel flows. The liters are usually unknown.' },
    CAPTURE: { description: 'After fuel has flowed.' },
  },
})

registerEnumType(CapacitySource, {
  name: 'CapacitySource',
  description: 'Where the fuel capacity of a vehicle comes from.',
  valuesConfig: {
    PROVIDER: { description: 'From the provider.' },
    OWN: { description: 'From `setVehicleFacts`.' },
    LEARNT: { description: 'From the last captures and the fuel levels around them.' },
  },
})

registerEnumType(PurchaseStage, {
  name: 'PurchaseStage',
  description:
    'A stage of a roll-out. Each stage decides with its own rules and those of the stages before it.',
  valuesConfig: {
    V0: { description: 'Logs what the rules find, and approves every purchase.' },
    V1: { description: 'Decides by location.' },
    V2: { description: 'Decides by fuel and tank too.' },
    V3: { description: 'Decides by state or province too.' },
  },
})

registerEnumType(PurchaseDecision, {
  name: 'PurchaseDecision',
  description: 'Whether a purchase is approved.',
  valuesConfig: {
    APPROVE: { description: 'No rule that decides speaks against the purchase, or the stage is V0.' },
    DECLINE: { description: 'A rule that declines has failed.' },
    CONFIRM: { description: 'Ask the cardholder: a rule that requires confirmation has failed.' },
    UNKNOWN: { description: "A rule that decides lacks facts. The caller's own default applies." },
  },
})

registerEnumType(RuleOutcome, {
  name: 'PurchaseRuleOutcome',
  description: 'The result of a rule.',
  valuesConfig: {
    PASS: { description: 'The rule permits the purchase.' },
    FAIL: { description: 'The rule speaks against the purchase.' },
    UNKNOWN: { description: 'The rule lacks facts.' },
  },
})

registerEnumType(DayOfWeek, {
  name: 'DayOfWeek',
  description: 'A day of the week.',
  valuesConfig: Object.fromEntries(
    daysOfWeek.map((day, at) => [
      day.toUpperCase(),
      { description: `Day ${at + 1} of the week by ISO 8601.` },
    ]),
  ),
})

registerEnumType(RuleAction, {
  name: 'PurchaseRuleAction',
  description: 'What follows if a rule fails.',
  valuesConfig: {
    OFF: { description: 'The rule is not evaluated.' },
    LOG: { description: 'The check records it.' },
    FLAG: { description: 'The event purchase.flagged reports it.' },
    CONFIRM: { description: 'The decision is CONFIRM.' },
    DECLINE: { description: 'The decision is DECLINE.' },
  },
})
