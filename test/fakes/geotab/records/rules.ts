import type { SafetyEvent } from '../../world/truth.ts'
import type { ListedEntity } from '../stores/snapshot-store.ts'
import { dateTime, type Entity, FOREVER, longId, versionText } from '../formats.ts'
import type { Fleet } from '../fleet/fleet.ts'

/** Built-in safety rules of MyGeotab, by event. */
export const ruleOf: Readonly<Record<SafetyEvent['kind'], string>> = {
  harsh_brake: 'RuleHarshBrakingId',
  harsh_acceleration: 'RuleJackrabbitStartsId',
  harsh_turn: 'RuleHarshCorneringId',
  speeding: 'RulePostedSpeedingId',
  crash: 'RuleEnhancedMajorCollisionId',
}

/** A rule that the fleet defined. It is not about safety. */
export const CUSTOM_RULE = longId('rule', 'own')

export const SEAT_BELT_RULE = 'RuleSeatbeltId'

export const ruleNames: Readonly<Record<string, string>> = {
  RuleHarshBrakingId: 'Harsh Braking',
  RuleJackrabbitStartsId: 'Hard Acceleration',
  RuleHarshCorneringId: 'Harsh Cornering',
  RulePostedSpeedingId: 'Posted Speeding',
  RuleEnhancedMajorCollisionId: 'Major Collision',
  RuleIdlingId: 'Idling',
  [SEAT_BELT_RULE]: 'Seat Belt',
  [CUSTOM_RULE]: 'Long stop at a yard',
}

export const ruleReference = (id: string) => ({
  state: 'ExceptionRuleStateActiveId',
  reason: 'ExceptionRuleReasonNoneId',
  id,
})

export const rules = (fleet: Fleet): ListedEntity[] =>
  Object.entries(ruleNames).map(([id, name]) => [id, (version) => toRule(fleet, id, name, version)])

const toRule = ({ world }: Fleet, id: string, name: string, version: number): Entity => ({
  activeFrom: dateTime(world.startsAt),
  activeTo: FOREVER,
  baseType: id === CUSTOM_RULE ? 'Custom' : 'Stock',
  comment: '',
  groups: [{ id: 'GroupCompanyId' }],
  name,
  version: versionText(version),
  id,
})
